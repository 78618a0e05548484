"""The commands, one a module: each has an `app` with a single command, which `cli.app` loads when it is used."""
