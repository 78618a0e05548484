// Starts `croupier lsp` and hands it the files of rulesets. Colours need no server: they come from syntaxes/.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("croupier");
  const program = { command: settings.get("command"), args: settings.get("arguments") };
  const documentSelector = settings.get("files").flatMap((pattern) => [
    { scheme: "file", pattern },
    { scheme: "untitled", language: "yaml", pattern },
  ]);
  client = new LanguageClient("croupier", "Croupier", program, {
    documentSelector,
    synchronize: { fileEvents: settings.get("files").map((pattern) => vscode.workspace.createFileSystemWatcher(pattern)) },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`\`${program.command}\` does not start: ${error.message}. Install it with: pip install "croupier[lsp]"`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("croupier.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration("croupier") ? restart() : undefined)),
  );
  return start();
}

module.exports = { activate, deactivate: stop };
