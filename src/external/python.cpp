// A strategy in Python, by the name of its class. Python's library is loaded when a robot first decides with one: the
// program itself does not need it.
#include <dlfcn.h>

#include <filesystem>

#include "base/programs.hpp"
#include "external/python_bridge.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// A function of Python's C interface, from the running interpreter or from its library.
template <class Function>
Function* python_function(void* library, const char* name) {
    void* found = dlsym(library ? library : RTLD_DEFAULT, name);
    if (!found) throw RunFailure(fmt::format("strategy python: {} is missing in Python's library", name));
    return reinterpret_cast<Function*>(found);
}

/// The interpreter: the one that this runs in, or one that is started once and stays.
class Interpreter {
  public:
    static const Interpreter& get() {
        static const Interpreter only;
        return only;
    }
    /// Holds the interpreter's lock.
    class Lock {
      public:
        explicit Lock(const Interpreter& python) : python_(python), state_(python.ensure_()) {}
        ~Lock() { python_.release_(state_); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

      private:
        const Interpreter& python_;
        int state_;
    };
    MakePythonStrategy maker() const { return maker_; }

  private:
    Interpreter() {
        void* library = nullptr;
        const bool inside = dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr;
        if (!inside) {
            library = dlopen(OUTRIDER_LIBPYTHON, RTLD_NOW | RTLD_GLOBAL);
            if (!library)
                throw RunFailure(fmt::format("strategy python: {} (tools/python installs what is missing)", dlerror()));
            python_function<void(const wchar_t*)>(library, "Py_SetProgramName")(L"" OUTRIDER_PYTHON);
            python_function<void(int)>(library, "Py_InitializeEx")(0);  // Ctrl-C stays the program's
        }
        ensure_ = python_function<int()>(library, "PyGILState_Ensure");
        release_ = python_function<void(int)>(library, "PyGILState_Release");
        const int state = ensure_();
        if (!inside) {
            const std::string package = fs::read_symlink("/proc/self/exe").parent_path() / "python";
            python_function<int(const char*)>(library, "PyRun_SimpleString")(
                fmt::format("import sys; sys.path[:0] = ['', {}]", quoted(package)).c_str());
        }
        python_function<int(const char*)>(library, "PyRun_SimpleString")("import outrider._core");
        void* capsule = python_function<void*(const char*, int)>(library, "PyCapsule_Import")(python_bridge, 0);
        maker_ = capsule ? *static_cast<const MakePythonStrategy*>(capsule) : nullptr;
        if (!maker_) python_function<void()>(library, "PyErr_Print")();
        release_(state);
        // From now on any thread may take the lock.
        if (!inside) python_function<void*()>(library, "PyEval_SaveThread")();
        if (!maker_)
            throw RunFailure(
                "strategy python: the package outrider could not be imported (tools/python builds it); Python's "
                "message "
                "stands above");
    }
    static std::string quoted(const std::string& text) {
        std::string out = "'";
        for (const char c : text) {
            if (c == '\'' || c == '\\') out += '\\';
            out += c;
        }
        return out + "'";
    }

    int (*ensure_)() = nullptr;
    void (*release_)(int) = nullptr;
    MakePythonStrategy maker_ = nullptr;
};

/// Nothing of Python is touched before the first choice: a scenario can be looked at without running anything.
class FromPython final : public Strategy {
  public:
    FromPython(std::string python_class, std::vector<Setting> options)
        : class_(std::move(python_class)), options_(std::move(options)) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        if (!strategy_) load();
        return strategy_->choose(belief, rng);
    }

  private:
    void load() {
        std::string model;  // as program_of() has it
        for (const Setting& s : options_)
            if (const auto* file = std::get_if<std::string>(&s.value); file && s.key == "model") model = ' ' + *file;
        expect_allowed("python " + class_ + model, "strategy python");
        const Interpreter& python = Interpreter::get();
        std::string error;
        const Interpreter::Lock lock(python);
        strategy_.reset(python.maker()(class_, options_, error));
        if (!strategy_) throw RunFailure(fmt::format("python({}): {}", class_, error));
    }

    std::string class_;
    std::vector<Setting> options_;
    std::unique_ptr<Strategy> strategy_;
};

std::unique_ptr<Strategy> make_from_python(std::vector<Setting>& settings, const std::string&) {
    std::string python_class;
    std::vector<Setting> options;
    for (Setting& s : settings) {
        s.used = true;
        if (s.key == "class" && std::holds_alternative<std::string>(s.value))
            python_class = std::get<std::string>(s.value);
        else
            options.push_back(s);
    }
    const std::size_t colon = python_class.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == python_class.size())
        fail("python: expected python(module:Class, option=value, ...), got the class '{}'", python_class);
    return std::make_unique<FromPython>(std::move(python_class), std::move(options));
}

const bool python_registered =
    detail::register_strategy({"python",
                               "a class written in Python: python(module:Class, option=value, ...)",
                               Traits{},
                               {},
                               make_from_python,
                               __FILE__});

}  // namespace
}  // namespace outrider
