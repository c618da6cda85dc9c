"""How pip builds the Python package (PEP 517): CMake compiles, this packs. See pyproject.toml.

    pip install .                                  builds in build/wheel
    pip install . --config-settings build=build    with what was built there already
"""
import base64
import glob
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


# As in pyproject.toml.
SCRIPT = "outrider.__main__:command"
EXTRAS = {"gym": ["gymnasium>=1.1", "pettingzoo>=1.24"], "torch": ["torch"]}


def version():
    text = Path(ROOT, "CMakeLists.txt").read_text()
    return re.search(r"^project\(outrider VERSION ([0-9.]+)", text, re.M).group(1)


def _compile(folder):
    if not os.path.exists(os.path.join(folder, "CMakeCache.txt")):
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                        "-DPython_EXECUTABLE=" + sys.executable], check=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", "--target", "outrider_python"], check=True)


def _metadata():
    return (f"Metadata-Version: 2.1\nName: outrider\nVersion: {version()}\n"
            "Summary: Multi-robot exploration, simulated\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
            + "".join(f"Provides-Extra: {extra}\n" + "".join(f'Requires-Dist: {package}; extra == "{extra}"\n'
                                                            for package in packages)
                      for extra, packages in EXTRAS.items()))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = os.path.join(ROOT, (config_settings or {}).get("build", "build/wheel"))
    _compile(folder)
    extension = os.path.join(folder, "python", "outrider", "_core" + sysconfig.get_config_var("EXT_SUFFIX"))
    if not os.path.exists(extension):
        raise SystemExit(f"outrider: {extension} was not built for this Python ({sys.executable}); are pybind11 and the "
                         "headers of Python installed?")
    python = "cp%d%d" % sys.version_info[:2]
    tag = f"{python}-{python}-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    info = f"outrider-{version()}.dist-info"
    files = {"outrider/" + os.path.basename(path): path
             for path in glob.glob(os.path.join(ROOT, "src/python/outrider/*")) if os.path.isfile(path)}
    files["outrider/" + os.path.basename(extension)] = extension
    for path in Path(ROOT, "environments").rglob("*"):
        if path.suffix in (".toml", ".png") and path.name != "sheet.png":
            files["outrider/" + str(path.relative_to(ROOT))] = str(path)
    content = {name: Path(path).read_bytes() for name, path in sorted(files.items())}
    content[info + "/METADATA"] = _metadata().encode()
    content[info + "/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: outrider\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    content[info + "/entry_points.txt"] = f"[console_scripts]\noutrider = {SCRIPT}\n".encode()
    content[info + "/LICENSE"] = Path(ROOT, "LICENSE").read_bytes()
    record = ""
    for name, data in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    content[info + "/RECORD"] = (record + info + "/RECORD,,\n").encode()
    name = f"outrider-{version()}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in content.items():
            wheel.writestr(path, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"outrider-{version()}"
    subprocess.run(["git", "archive", "--format=tar.gz", f"--prefix={name}/", "-o",
                    os.path.join(os.path.abspath(sdist_directory), name + ".tar.gz"), "HEAD"], cwd=ROOT, check=True)
    return name + ".tar.gz"
