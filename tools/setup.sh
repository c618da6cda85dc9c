# Sourced by tools/run, tools/test and tools/bench: installs what is missing and builds. POSIX shell.
# ROOT is the project's folder. Everything that is there already is left alone: a second call does no work.

PACKAGES="g++ cmake ninja-build pkg-config libtbb-dev libfmt-dev libcxxopts-dev libtomlplusplus-dev libsqlite3-dev
zlib1g-dev libzstd-dev liblz4-dev libyaml-cpp-dev libexpat1-dev libstb-dev libxxhash-dev
nlohmann-json3-dev libeigen3-dev libboost-dev doctest-dev"

# The window; without these the rest is built and works.
VIEW_PACKAGES="libsdl2-dev libimgui-dev libgl-dev libegl1 libgl1-mesa-dri fonts-inter"
# Its tests on a display: a display of its own, and a hand that moves the mouse.
VIEW_TEST_PACKAGES="xvfb xauth xdotool"

# The Python package; without these the rest is built and works.
PYTHON_PACKAGES="pybind11-dev python3-dev python3-numpy"

# Tests of rosbridge: WebSockets in Python, and the messages of ROS 1 as classes (3 MB).
ROS_TEST_PACKAGES="python3-websockets python3-sensor-msgs python3-nav-msgs python3-geometry-msgs python3-rosgraph-msgs
python3-visualization-msgs python3-tf2-msgs"

# Tests of the page that plays a run, in a browser.
BROWSER_PACKAGES="chromium chromium-driver"

# Pictures of the docs (tools/pictures), one of which moves; they need the browser, too.
PICTURE_PACKAGES="ffmpeg"

# The simulator as a page (tools/browser): the compiler for WebAssembly, which brings node.
BROWSER_BUILD_PACKAGES="emscripten"

# Debian packages of the program.
PACKAGING_PACKAGES="dpkg-dev file binutils"

# Sanitizers and the fuzzer.
SANITIZER_PACKAGES="clang-16 libclang-rt-16-dev"

# The site of the documentation.
SITE_PACKAGES="mkdocs mkdocs-material doxygen python3"

CLUSTER_PACKAGES="slurmctld slurmd slurm-client munge parallel librsvg2-bin"

say() { printf '%s\n' "$*" >&2; }

# install PACKAGE...: those that are missing, through apt.
install() {
    missing=""
    for package in "$@"; do
        if command -v dpkg-query >/dev/null 2>&1; then
            dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
        fi
    done
    if ! command -v apt-get >/dev/null 2>&1; then
        # Another system: the compiler says what is missing, this says what it is called on Debian.
        [ -n "${OUTRIDER_NO_APT:-}" ] && return 0
        say "There is no apt here. Install what these Debian packages provide, then run this with OUTRIDER_NO_APT=1:"
        say " " $*
        exit 2
    fi
    [ -z "$missing" ] && return 0
    if [ "$(id -u)" = 0 ]; then as_root=""; elif command -v sudo >/dev/null 2>&1; then as_root="sudo"; else
        say "These packages are missing, and there is neither root nor sudo to install them:"
        say "  apt-get install$missing"
        exit 2
    fi
    say "installing$missing"
    apt_output=$(mktemp)
    if $as_root apt-get update -qq >"$apt_output" 2>&1 &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
            >>"$apt_output" 2>&1; then
        rm -f "$apt_output"
    else
        grep '^E:' "$apt_output" >&2 || tail -5 "$apt_output" >&2
        say "apt could not install all of it; what it printed is in $apt_output"
        exit 1
    fi
}

# What the window needs: optional, since without it all but `outrider view` works.
install_view() {
    (install $VIEW_PACKAGES "$@") || say "what the window needs could not be installed: outrider view is left out"
}

# build FOLDER TARGET [CMAKE OPTION...]: configures once, then builds what changed.
build() {
    folder=$1 target=$2
    shift 2
    if [ ! -f "$folder/build.ninja" ]; then
        say "configuring $folder"
        cmake -S "$ROOT" -B "$folder" -G Ninja -DOUTRIDER_WERROR="${OUTRIDER_WERROR:-OFF}" "$@" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; rm -rf "$folder"; exit 1; }
        rm -f "$folder.log"
    fi
    # Nothing is newer than the last build of this target: not a file, not a folder that lost one, not the commit.
    stamp="$folder/$target.built"
    if [ -f "$stamp" ] && [ -z "$(cd "$ROOT" && find CMakeLists.txt include src strategies tests tools .git/logs/HEAD -newer "$stamp" 2>/dev/null | head -1)" ]; then
        return 0
    fi
    touch "$stamp.begun"
    { cmake --build "$folder" --target "$target" 2>&1 || echo "(failed)"; } | progress "$folder/build.txt"
    if [ "$(tail -1 "$folder/build.txt")" = "(failed)" ]; then
        grep -A 30 -m 1 'FAILED\|rror:' "$folder/build.txt" >&2 || tail -20 "$folder/build.txt" >&2
        say "$target could not be built; what the compiler printed is in $folder/build.txt"
        exit 1
    fi
    mv "$stamp.begun" "$stamp"
}

# progress FILE: copies what ninja prints to FILE, and says how far it is and about how long it will take: on a terminal in
# one line that changes, elsewhere at most every 20 seconds.
progress() {
    began=$(date +%s) said=$(date +%s) line="" shown=""
    : >"$1"
    while IFS= read -r line || [ -n "$line" ]; do
        printf '%s\n' "$line" >>"$1"
        case "$line" in "["*/*"]"*) ;; *) continue ;; esac
        now=$(date +%s) count=${line%%]*}
        done=${count%/*} all=${count#*/}
        done=${done#[} seconds=$((now - began))
        left=""
        if [ "$seconds" -gt 10 ] && [ "$done" -gt 0 ] && [ "$done" -lt "$all" ]; then
            left=$((seconds * (all - done) / done))
            if [ "$left" -ge 90 ]; then left=", about $(((left + 30) / 60)) min left"; else left=", about $left s left"; fi
        fi
        if [ -t 2 ]; then
            printf '\r\033[K[%s/%s] building %s%s' "$done" "$all" "$target" "$left" >&2
            shown=yes
        elif [ $((now - said)) -ge 20 ]; then
            say "[$done/$all] building $target$left"
            said=$now
        fi
    done
    if [ -n "$shown" ]; then printf '\r\033[K' >&2; fi
}

# find_clang: the version of the newest clang that has what a fuzzer is linked with.
find_clang() {
    for version in 19 18 17 16; do  # older ones cannot compile what GCC 12 can
        if ls /usr/lib/llvm-$version/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a >/dev/null 2>&1 &&
            command -v clang++-$version >/dev/null 2>&1; then
            echo $version
            return 0
        fi
    done
}

# build_sanitized TARGET: in build-fuzz, under the address and undefined-behaviour sanitizers. With clang: it has the
# fuzzer, which so shares its libraries with the tests, and compiles instrumented code in half of GCC's time. What is left
# out, the address sanitizer finds as well.
build_sanitized() {
    if [ -z "$(find_clang)" ]; then install $SANITIZER_PACKAGES; fi
    version=$(find_clang)
    [ -n "$version" ] || { say "no clang with libFuzzer (Debian: $SANITIZER_PACKAGES)"; exit 2; }
    build "$ROOT/build-fuzz" "$1" -DOUTRIDER_FUZZ=ON -DOUTRIDER_BENCHMARKS=OFF -DCMAKE_BUILD_TYPE=Sanitize \
        -DCMAKE_CXX_COMPILER=clang++-$version -DCMAKE_C_COMPILER=clang-$version \
        -DCMAKE_CXX_FLAGS="-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize=null,vptr,object-size \
-fno-sanitize-recover=all"
}

# look_again_for TARGET: what it needs may not have been there when the build was configured.
look_again_for() {
    if [ -f "$ROOT/build/build.ninja" ] && ! grep -q "$1" "$ROOT/build/build.ninja"; then
        cmake -S "$ROOT" -B "$ROOT/build" >/dev/null
    fi
}
