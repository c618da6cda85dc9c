// Tables and findings as values, and the texts that are made of them.
#include <cmath>

#include "batch/finding.hpp"
#include "helpers.hpp"
#include "outrider/detail/settings.hpp"

using namespace outrider;

namespace test_table {
namespace {

Table sample() {
    Table t;
    t.columns = {{"name", "name"}, {"value", TableCell("value ").add("\n").small("less"), false, false}};
    t.section("a < b");
    TableCell cell(Number{1234.5});
    cell.add(" ").small(Range{Number{0.25}, Missing{"never"}, "95 % "}).small("; 2 of 6");
    t.add({"x,y", cell}, true);
    return t;
}

}  // namespace

TEST_CASE("values are written as people read them, and with all digits in CSV") {
    CHECK(to_text(Value(Number{1234.5})) == "1234");
    CHECK(to_text(Value(Number{0.123456, Number::Digits::two_decimals})) == "0.12");
    CHECK(to_text(Value(Number{0.123456, Number::Digits::all})) == "0.123456");
    CHECK(to_text(Value(Number{std::nan("")})) == "–");
    CHECK(to_text(Value(PValue{0.000123})) == "0.00012");
    CHECK(to_text(Value(Range{Number{3}, Missing{"never"}, ""})) == "[3, never]");
    CHECK(to_csv({TableCell(Number{0.123456}), TableCell(PValue{0.000123}), TableCell(Missing{"never"}),
                  TableCell(std::size_t{6}), TableCell("a, \"b\""), TableCell(Number{std::nan("")}),
                  TableCell(Range{Number{3}, Number{4}, ""})}) ==
          "0.123456,0.000123,,6,\"a, \"\"b\"\"\",nan,\"[3, 4]\"\n");
}

TEST_CASE("one table is written as HTML, CSV and text") {
    const Table t = sample();
    CHECK(to_html(t) ==
          "<div class='wide'><table><tr><th>name</th><th>value <br><small>less</small></th></tr>\n"
          "<tr><th class='l' colspan='2'>a &lt; b</th></tr>\n"
          "<tr class='shown'><td>x,y</td><td>1234 <small>[95 % 0.25, never]; 2 of 6</small></td></tr>\n"
          "</table></div>");
    CHECK(to_csv(t) == "name,value\na < b\n\"x,y\",\"1234 [95 % 0.25, never]; 2 of 6\"\n");
    CHECK(to_text(t, 7, 8) ==
          "name                        value  less\n"
          "a < b  \n"
          "x,y     1234 [95 % 0.25, never]; 2 of 6\n");
    Table empty;
    empty.columns = named_columns({"a", "b"});
    CHECK(to_csv(empty) == "a,b\n");
    empty.section("");
    CHECK(empty.rows.empty());
}

TEST_CASE("a table for LaTeX: as many columns in each row, braces in pairs, nothing that LaTeX takes for a command") {
    Table t;
    t.columns = {{"name", "a_name & more"},
                 {"value", TableCell("50 %").add("\n").small("less is better"), false, true}};
    t.section("one #1");
    t.add({"x^2 {~} \\ $", TableCell(Number{0.5}).add(" ").small(Range{Number{0.25}, Number{0.75}})}, true);
    t.add({"p < 5", Missing{}});
    const std::string tex = to_latex(t);
    CAPTURE(tex);
    CHECK(tex.find("a\\_name \\& more & \\begin{tabular}[t]{@{}r@{}}50 \\%\\\\ {\\footnotesize less is "
                   "better}\\end{tabular} \\\\") != std::string::npos);
    CHECK(tex.find("\\multicolumn{2}{l}{\\textit{one \\#1}}") != std::string::npos);
    CHECK(tex.find("x\\^{}2 \\{\\~{}\\} \\textbackslash{} \\$ & \\textbf{0.5}") != std::string::npos);
    CHECK(tex.find("p $<$ 5 & --") != std::string::npos);
    int depth = 0;
    for (std::size_t i = 0; i < tex.size(); ++i) {
        const bool escaped = i > 0 && tex[i - 1] == '\\' && !(i > 1 && tex[i - 2] == '\\');
        if (tex[i] == '{' && !escaped) ++depth;
        if (tex[i] == '}' && !escaped) --depth;
        REQUIRE(depth >= 0);
    }
    CHECK(depth == 0);
}

TEST_CASE("columns are as wide as their widest cell, counted in characters") {
    Table t;
    t.columns = {{"", ""}, {"v", "v"}};
    t.add({"a", "–"});
    t.add({"much longer", "123456"});
    CHECK(to_text(t, 4, 3) ==
          "                 v\n"
          "a                –\n"
          "much longer 123456\n");
}

/// One pair on each of so many maps; or so many starts of one map.
std::vector<PairPlace> on_maps(int count) {
    std::vector<PairPlace> out;
    for (int m = 0; m < count; ++m) out.push_back({m, 1});
    return out;
}
std::vector<PairPlace> on_one_map(int count) {
    std::vector<PairPlace> out;
    for (int start = 0; start < count; ++start) out.push_back({0, start});
    return out;
}

TEST_CASE("a finding says who is better and on how many maps, that nothing is shown, or that nothing can be") {
    const double never = std::nan("");
    const std::vector<double> slow{10, 12, 14, 16, 18, 20, 22}, fast{5, 6, 7, 8, 9, 10, 11};
    Finding f{compare_samples(slow, fast, on_maps(7), true, true), "", "t90_base", "a", "b"};
    CHECK(f.pairs == 7);
    CHECK(f.maps == 7);
    CHECK(f.better_b == 7);
    CHECK(f.favours_b);
    CHECK(f.mean == -8);
    adjust({&f});
    CHECK(f.adjusted == f.p);
    CHECK(f.verdict() == Finding::Verdict::b_is_better);
    CHECK(verdict(f) == "b is better");
    CHECK(sentence(f) ==
          "b - a on 7 maps, 7 pairs: mean -8 [95 % -10, -6]; b better on 7 maps, a on 0; A12 0.97; p 0.016, Holm "
          "0.016: b is better");
    f = {compare_samples(slow, fast, on_maps(7), false, true), "", "auc_base", "a", "b"};
    adjust({&f});
    CHECK(f.verdict() == Finding::Verdict::a_is_better);
    f = {compare_samples(slow, fast, on_one_map(7), true, true), "", "t90_base", "a", "b"};
    adjust({&f});
    CHECK(sentence(f).starts_with("b - a on one map, 7 pairs: mean -8 [95 % -10, -6]; b better in 7 pairs, a in 0;"));
    CHECK(sentence(f).ends_with("; p within the map 0.016, Holm 0.016: b is better on this map only"));
    f = {compare_samples(slow, std::vector<double>{11, 11, 15, 15, 19, 19, 22}, on_maps(7), true, true), "", "t90_base",
         "a", "b"};
    adjust({&f});
    CHECK(verdict(f) == "no difference shown");
    f = {compare_samples(std::vector{1.0, 1.0}, std::vector{2.0, 3.0}, on_maps(2), true, true), "", "t90_base", "a",
         "b"};
    adjust({&f});
    CHECK(verdict(f) == "cannot be shown with so few maps (2; at least 6 are needed)");
    CHECK(sentence(f) ==
          "b - a on 2 maps, 2 pairs: mean 1.5; b better on 0 maps, a on 2; A12 0.00: cannot be shown with so few maps "
          "(2; at least 6 are needed)");
    f = {compare_samples(std::vector{1.0}, std::vector{2.0}, on_one_map(1), true, true), "", "t90_base", "a", "b"};
    adjust({&f});
    CHECK(sentence(f) ==
          "b - a on one map, 1 pair: mean 1; b better in 0 pairs, a in 1; A12 0.00: cannot be shown with so few starts "
          "(1; at least 6 are needed)");
    f = {compare_samples(std::vector{never}, std::vector{2.0}, on_maps(1), true, true), "", "return_steps", "a", "b"};
    CHECK(verdict(f) == "nothing to compare");
    CHECK(sentence(f) == "b - a: no pair in which both have a value");
    f.test = Difference::Test::maps;
    f.possible = false;
    f.units = 40;
    CHECK(too_few(f) == "cannot be shown with so many tests at once on 40 maps");
    f.test = Difference::Test::runs;
    CHECK(too_few(f) == "cannot be shown with so few runs (40) on one map");
}

TEST_CASE("a warning says how many maps a claim takes") {
    CHECK(warning_of_few_maps(12, 3) == "");
    CHECK(warning_of_few_maps(0, 3) == "");
    CHECK(warning_of_few_maps(7, 3) == "");
    CHECK(warning_of_few_maps(6, 3).starts_with(
        "6 maps say something of those only: to show a difference takes 7 maps or more with 3 tests at once"));
    CHECK(warning_of_few_maps(1, 1).ends_with("A claim about strategies takes 6 maps or more, such as a suite."));
}

TEST_CASE("a ranking becomes a sentence: ties, never, left out runs, open tests, on how many maps") {
    const std::vector<double> slow{10, 12, 14, 16, 18, 20, 22}, fast{5, 6, 7, 8, 9, 10, 11};
    Finding shown{compare_samples(slow, fast, on_maps(7), true, true), "", "t90_base", "a", "b"};
    adjust({&shown});
    Ranking r{"", "t90_base", {{"b", Number{8}, false, 7, 0}, {"a", Number{16}, false, 7, 0}}, {shown}};
    CHECK(sentence(r) ==
          "t90_base (steps): b 8, then a 16 in the median. The difference is shown (7 maps, 7 pairs; p 0.016 after "
          "correction).");
    r.findings[0].against_medians = true;
    CHECK(sentence(r).ends_with(" By the mean of differences b is better than a, whatever the medians."));
    Finding open = shown;
    open.adjusted = 0.4;
    open.b = "c";
    r = {"comm.range_m = 2",
         "t90_base",
         {{"b", Number{8}, false, 5, 2}, {"c", Number{8}, true, 7, 0}, {"a", Missing{"never"}, false, 7, 0}},
         {shown, open}};
    CHECK(sentence(r) ==
          "comm.range_m = 2, t90_base (steps): b 8 (of 5 of 7 runs) and c 8, then a never in the median. The others "
          "are shown (7 maps, 7 pairs; p 0.016 after correction). No difference is shown between a and c (p 0.4; 7 "
          "maps, 7 pairs).");
    r.findings = {shown, shown};
    CHECK(sentence(r).ends_with("All 2 differences are shown (7 maps, 7 pairs; p at most 0.016 after correction)."));
    Finding few{compare_samples(std::span(slow).first(3), std::span(fast).first(3), on_maps(3), true, true), "",
                "t90_base", "a", "d"};
    adjust({&few});
    r.findings = {shown, few};
    CHECK(sentence(r).ends_with(
        "A difference between a and d cannot be shown with so few maps (3; at least 6 are needed)."));
    r.findings = {few};
    CHECK(sentence(r).ends_with("A difference cannot be shown with so few maps (3; at least 6 are needed)."));
    Finding single{compare_samples(slow, fast, on_one_map(7), true, true), "", "t90_base", "a", "b"};
    adjust({&single});
    r.findings = {single};
    CHECK(sentence(r).ends_with(
        "The difference is shown on this map only (one map, 7 pairs; p 0.016 after correction)."));
    r.findings = {};
    CHECK(sentence(r).ends_with("in the median. Nothing can be compared."));
}

}  // namespace test_table
