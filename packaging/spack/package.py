# Copy this file to packages/polytune/package.py of a repository of Spack's.
from spack.package import *


class Polytune(MakefilePackage):
    """An autotuning polyhedral compiler for loop nests in C."""

    git = "file:///path/to/polytune"

    version("main", branch="main")

    depends_on("c", type=("build", "run"))
    depends_on("go@1.26:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("isl@0.25: libs=static")
    depends_on("gmp libs=static")

    def build(self, spec, prefix):
        make("build")

    def install(self, spec, prefix):
        make("install", "PREFIX={0}".format(prefix))
