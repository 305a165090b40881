-- A module file for Lmod: put it where the site's modules are, with the prefix of make install.
help([[polytune, an autotuning polyhedral compiler for loop nests in C: tune --help]])
whatis("Name: polytune")
whatis("Category: compilers, performance")
local prefix = os.getenv("POLYTUNE_PREFIX") or pathJoin(os.getenv("HOME"), ".local")
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
