"""Policy packs that come with the package, each a YAML file; own packs have the same form."""
