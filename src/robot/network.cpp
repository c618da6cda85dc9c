#include "outrider/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/input.hpp"
#include "base/json.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_numbers = 1'000'000;  // of a layer
constexpr double largest = 1e6;                  // weight

const Json& member(const Json& of, std::string_view key, const std::string& where) {
    const Json* found = of.find(key);
    if (!found) fail("{}: '{}' is missing", where, key);
    return *found;
}

std::vector<double> numbers(const Json& json, const std::string& where) {
    const Json::Array* array = json.array();
    if (!array) fail("{}: expected an array of numbers", where);
    std::vector<double> out;
    for (const Json& item : *array) {
        const double* number = item.number();
        if (!number || !(std::abs(*number) <= largest))
            fail("{}[{}]: expected a number of -{} to {}", where, out.size(), largest, largest);
        out.push_back(*number);
    }
    return out;
}

Network::Layer layer_of(const Json& json, std::size_t inputs, const std::string& where) {
    Network::Layer layer;
    layer.bias = numbers(member(json, "bias", where), where + ".bias");
    const Json::Array* rows = member(json, "weights", where).array();
    if (!rows || rows->empty() || rows->size() != layer.bias.size())
        fail("{}: expected as many rows of weights as there are biases, and at least one", where);
    if (rows->size() > most_numbers / std::max<std::size_t>(1, inputs))
        fail("{}: expected at most {} weights", where, most_numbers);
    for (const Json& row : *rows) {
        const std::string place = fmt::format("{}.weights[{}]", where, layer.weights.size());
        layer.weights.push_back(numbers(row, place));
        if (layer.weights.back().size() != inputs)
            fail("{}: expected {} numbers, one for each input, got {}", place, inputs, layer.weights.back().size());
    }
    return layer;
}

double tanh_of(double x) {  // of the library's exp(): the same on every machine
    const double e = outrider::exp(-2 * std::abs(x));
    const double t = (1 - e) / (1 + e);
    return x < 0 ? -t : t;
}

}  // namespace

Network Network::parse(std::string_view text, const std::string& name) {
    Json json;
    try {
        json = parse_json(text);
    } catch (const Error& error) {
        fail("{}: {}", name, error.what());
    }
    const double* version = member(json, "outrider_network", name).number();
    if (!version || *version != 1) fail("{}: outrider_network: expected 1, the version of the format", name);
    Network out;
    const Json::Array* inputs = member(json, "inputs", name).array();
    if (!inputs || inputs->empty() || inputs->size() > frontier_feature_names.size())
        fail("{}: inputs: expected an array of 1 to {} names of features", name, frontier_feature_names.size());
    for (const Json& input : *inputs) {
        const std::string* feature = input.text();
        const auto at =
            std::find(frontier_feature_names.begin(), frontier_feature_names.end(), feature ? *feature : "");
        if (at == frontier_feature_names.end())
            fail("{}: inputs[{}]: expected one of {}", name, out.inputs_.size(),
                 fmt::join(frontier_feature_names, ", "));
        out.inputs_.push_back(static_cast<FrontierFeature>(at - frontier_feature_names.begin()));
    }
    if (const Json* most = json.find("most")) {
        if (!most->number() || !(*most->number() > 0 && *most->number() <= largest))
            fail("{}: most: expected a number above 0, up to {}", name, largest);
        out.most_ = *most->number();
    }
    const Json::Array* layers = member(json, "layers", name).array();
    if (!layers || layers->empty() || layers->size() > 16) fail("{}: layers: expected an array of 1 to 16", name);
    std::size_t width = out.inputs_.size();
    for (const Json& layer : *layers) {
        out.layers_.push_back(layer_of(layer, width, fmt::format("{}: layers[{}]", name, out.layers_.size())));
        width = out.layers_.back().bias.size();
    }
    if (width != 1) fail("{}: the last layer: expected one output, the score, got {}", name, width);
    return out;
}

Network Network::read(const std::string& path) { return parse(read_text_file(path, "the weights of a network"), path); }

double Network::score(const FrontierFeatures& features) const {
    std::vector<double> values;
    for (const FrontierFeature f : inputs_)
        values.push_back(std::min<double>(most_, features[static_cast<std::size_t>(f)]));
    for (std::size_t k = 0; k < layers_.size(); ++k) {
        std::vector<double> out = layers_[k].bias;
        for (std::size_t o = 0; o < out.size(); ++o) {
            for (std::size_t i = 0; i < values.size(); ++i) out[o] += layers_[k].weights[o][i] * values[i];
            if (k + 1 < layers_.size()) out[o] = tanh_of(out[o]);
        }
        values = std::move(out);
    }
    return values[0];
}

}  // namespace outrider
