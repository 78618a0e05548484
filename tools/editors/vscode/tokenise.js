// Reads a YAML text, prints how VS Code would colour it: line, first and last column and scopes of each token that is no blank.
"use strict";

const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");

const contributed = require("./package.json").contributes.grammars;
const yaml = path.join(__dirname, "node_modules", "tm-grammars", "grammars", "yaml.json");

async function main() {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const known = contributed.find((one) => one.scopeName === scope);
      const file = known === undefined ? yaml : path.join(__dirname, known.path);
      return parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
    getInjections: (scope) => contributed.filter((one) => (one.injectTo ?? []).includes(scope)).map((one) => one.scopeName),
  });
  const grammar = await registry.loadGrammar("source.yaml");
  let state = INITIAL;
  for (const [number, line] of fs.readFileSync(0, "utf8").split("\n").entries()) {
    const found = grammar.tokenizeLine(line, state);
    state = found.ruleStack;
    for (const token of found.tokens) {
      const word = line.slice(token.startIndex, token.endIndex);
      if (word.trim() !== "") {
        console.log(JSON.stringify([number + 1, token.startIndex, token.endIndex, token.scopes]));
      }
    }
  }
}

main();
