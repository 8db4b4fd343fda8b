#include "report/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "report/sample_page.h"
#include "support/markup.h"

namespace vyre::report {
namespace {

using formats::Results;
using testing::Markup;
using testing::SampleRun;

Markup read(const Page& page) {
  Markup markup = testing::read_markup(html(page));
  EXPECT_EQ(markup.problem, "");
  return markup;
}
Markup read(const Results& results) { return read(Page{.kernels = {results}}); }

std::string text_of(const Markup& markup) { return markup.all("body").at(0).text; }

// A run of one parameter with these times; 0 stands for a failure.
Results run_of(const std::vector<double>& times) {
  Results results{.kernel = "k", .parameters = {"block"}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    formats::Tried tried{.values = {static_cast<std::int64_t>(i)}, .time_ms = times[i]};
    if (times[i] == 0) tried.verdict = Verdict::runtime;
    results.tried.push_back(tried);
  }
  return results;
}

// Every number that places something.
void expect_finite(const Markup& markup) {
  const std::set<std::string> numeric = {"x",  "y", "x1",    "y1",     "x2",      "y2", "cx",
                                         "cy", "r", "width", "height", "viewBox", "d",  "style"};
  for (const auto& element : markup.elements) {
    for (const auto& [name, value] : element.attributes) {
      if (!numeric.contains(name)) continue;
      EXPECT_EQ(value.find("nan"), std::string::npos) << element.name << " " << name;
      EXPECT_EQ(value.find("inf"), std::string::npos) << element.name << " " << name;
    }
  }
}

TEST(Page, IsWellFormedAndEveryLinkHasItsTarget) {
  const Markup markup = read(testing::sample_page());
  expect_finite(markup);
  std::set<std::string> ids;
  for (const auto& element : markup.elements) {
    if (element.attributes.contains("id")) {
      EXPECT_TRUE(ids.insert(element.attributes.at("id")).second);
    }
  }
  const auto links = markup.all("a");
  EXPECT_EQ(links.size(), 3U);
  for (const auto& link : links) EXPECT_TRUE(ids.contains(link.attributes.at("href").substr(1)));
}

TEST(Page, FetchesNothingAndRunsNothing) {
  const std::string text = html(testing::sample_page());
  for (const auto* word : {"http:", "https:", "url(", "@import", "src=", "<script", "<link"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

TEST(Page, TextFromOutsideIsShownAsText) {
  const std::string bad = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;";
  Page page = testing::sample_page();
  page.title = page.device = page.driver = page.version = bad;
  page.remembered[0].kernel = page.remembered[0].configuration = bad;
  auto& run = page.kernels[0];
  run.kernel = run.strategy = bad;
  run.parameters[0] = run.parameters[5] = bad;
  for (auto& tried : run.tried) {
    tried.values[5] = bad + std::get<std::string>(tried.values[5]);
    tried.reason += bad;
  }
  const Markup markup = read(page);
  EXPECT_TRUE(markup.all("script").empty());
  EXPECT_TRUE(markup.all("img").empty());
  for (const auto& element : markup.elements) EXPECT_FALSE(element.attributes.contains("onerror"));
  EXPECT_EQ(markup.all("title").at(0).text, bad);
  EXPECT_NE(text_of(markup).find(bad), std::string::npos);
}

TEST(Page, OfNothingSaysSo) {
  EXPECT_NE(text_of(read(Page{})).find("No kernel was tuned"), std::string::npos);
}

TEST(Page, SaysWhenNothingWasCorrect) {
  Results results = run_of({0, 0, 0});
  results.tried[1].reason = "it broke";
  results.original = 0;
  const std::string text = text_of(read(results));
  EXPECT_NE(text.find("No configuration gave a correct result"), std::string::npos);
  EXPECT_NE(text.find("3 of 3 attempts failed"), std::string::npos);
  EXPECT_NE(text.find("it broke"), std::string::npos);
}

TEST(Page, DrawsARunOfOneAttempt) {
  Results results = run_of({1.5});
  results.original = results.winner = 0;
  const Markup markup = read(results);
  expect_finite(markup);
  EXPECT_EQ(markup.all("circle", "dot").size(), 1U);
  EXPECT_NE(text_of(markup).find("The default is the fastest that was found"), std::string::npos);
}

TEST(Page, DrawsARunOfNoAttempts) { expect_finite(read(run_of({}))); }

TEST(Page, SaysThatATieIsATie) {
  Results results = run_of({1.5, 1.49});
  results.original = results.winner = 0;
  results.tied = true;
  const Markup markup = read(results);
  EXPECT_EQ(markup.all("b", "badge").at(0).text, "tied");
  EXPECT_NE(text_of(markup).find("within the noise"), std::string::npos);
  results.tied = false;
  EXPECT_EQ(text_of(read(results)).find("tied"), std::string::npos);
}

TEST(Page, ShowsTheTimesOfTheRaceNotThoseOfTheSearch) {
  Results results = run_of({1.5, 0.75});
  results.original = 0;
  results.winner = 1;
  results.raced = formats::Raced{{3.125, {3, 3.25}}, {1.25, {1.125, 1.375}}, {2.5, {2.25, 2.75}}};
  const std::string text = text_of(read(results));
  for (const char* part : {"3.125 ms", "1.250 ms", "2.50×", "2.25 – 2.75×"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Page, NumbersThatAreNoneDoNotGetIntoDrawings) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Results results = run_of({1e-9, 1e12, 2, nan, inf, -1, 1e-320, 3});
  for (auto& tried : results.tried) {
    tried.interval_ms = {nan, inf};
    tried.at_s = nan;
    tried.cost.compile_ms = inf;
  }
  results.original = 3;
  results.winner = 2;
  const measure::Estimate none = {nan, {-inf, inf}};
  results.raced = formats::Raced{none, none, none};
  const Markup markup =
      read(Page{.kernels = {results}, .remembered = {{.default_ms = measure::Estimate{inf, {}}}}});
  expect_finite(markup);
  EXPECT_EQ(markup.all("circle", "dot").size(), 4U);
  EXPECT_NE(text_of(markup).find("4 of 8 attempts failed"), std::string::npos);
  EXPECT_EQ(text_of(markup).find("nan"), std::string::npos);
}

TEST(Page, MarksEveryAttemptThatWasFasterThanAllBefore) {
  const Markup markup = read(run_of({5, 6, 0, 4, 4, 4.5, 3}));
  EXPECT_EQ(markup.all("circle", "dot").size(), 6U);
  EXPECT_EQ(markup.all("circle", "better").size(), 3U);
  EXPECT_EQ(markup.all("path", "fail").at(0).text, "failed while running");
}

TEST(Page, ARareKindOfFailureIsSeenAmongThousands) {
  Results results = run_of(std::vector<double>(3'000, 0));
  results.tried[0] = run_of({1}).tried[0];
  results.tried[1'234].verdict = Verdict::correctness;
  std::set<std::string> kinds;
  for (const auto& mark : read(results).all("path", "fail")) kinds.insert(mark.text);
  EXPECT_TRUE(kinds.contains("wrong result"));
}

TEST(Page, TheBarsOfTheDistributionCountEveryTime) {
  const Results results = SampleRun("k", 2, 1).make(130);
  std::size_t sum = 0;
  for (const auto& bar : read(results).all("rect", "bar")) {
    std::size_t count = 0;
    std::from_chars(bar.text.data(), bar.text.data() + bar.text.size(), count);
    sum += count;
  }
  const auto timed = std::ranges::count(results.tried, Verdict::correct, &formats::Tried::verdict);
  EXPECT_EQ(sum, static_cast<std::size_t>(timed));
}

TEST(Page, TheParameterWithTheGreatestEffectComesFirstAndConstantOnesAreLeftOut) {
  Results results{.kernel = "k", .parameters = {"weak", "fixed", "strong"}};
  for (int i = 0; i < 16; ++i) {
    const double ms = (i % 2 == 0 ? 1.0 : 1.1) * (i / 2 % 2 == 0 ? 1 : 3);
    results.tried.push_back({.values = {i % 2, 7, i / 2 % 2 == 0}, .time_ms = ms});
  }
  const auto headings = read(results).all("h4");
  ASSERT_EQ(headings.size(), 2U);
  EXPECT_EQ(headings[0].text, "strong3.00×");
  EXPECT_EQ(headings[1].text, "weak1.10×");
}

TEST(Page, FewValuesAllHaveTheirLabelHoweverLong) {
  Results results{.kernel = "k", .parameters = {"mode"}};
  results.tried = {{.values = {"short"}, .time_ms = 2},
                   {.values = {"a name that is much longer than its place"}, .time_ms = 1}};
  std::size_t labels = 0;
  for (const auto& text : read(results).all("text", "tick")) {
    if (text.text.starts_with("short") || text.text.starts_with("a name")) ++labels;
  }
  EXPECT_EQ(labels, 2U);
}

TEST(Page, AValueThatAlwaysFailsIsSeenAmongTheEffects) {
  const auto counts = read(run_of({1, 0, 2})).all("text", "fail-count");
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].text, "×11: 1 of 1 failed");  // and its tip
}

TEST(Page, TheTunedConfigurationStandsBesideTheDefaultWhereTheyDiffer) {
  Results results{.kernel = "k", .parameters = {"block", "unroll"}};
  results.tried = {{.values = {64, 1}, .time_ms = 2}, {.values = {128, 1.0}, .time_ms = 1}};
  results.original = 0;
  results.winner = 1;
  const Markup markup = read(results);
  ASSERT_EQ(markup.all("li", "changed").size(), 1U);
  EXPECT_EQ(markup.all("li", "changed")[0].text, "block = 128default 64");
  EXPECT_EQ(markup.all("li", "same").at(0).text, "unroll = 1.0");
}

TEST(Page, ItsSizeIsBoundedForAnyNumberOfAttempts) {
  std::vector<double> times;
  for (int i = 0; i < 60'000; ++i) times.push_back(i % 7 == 0 ? 0 : 1e5 / (1 + i));
  const std::string page = html(Page{.kernels = {run_of(times)}});
  EXPECT_LT(page.size(), 400'000U);
  EXPECT_EQ(testing::read_markup(page).problem, "");
}

TEST(Page, ManyParametersAndLongNamesStayReadable) {
  Results results{.kernel = std::string(3'000, 'k')};
  for (int p = 0; p < 40; ++p)
    results.parameters.push_back(std::string(200, 'p') + fmt::to_string(p));
  for (int i = 0; i < 50; ++i) {
    formats::Tried tried{.verdict = i % 3 == 0 ? Verdict::compile : Verdict::correct,
                         .reason = std::string(100'000, 'r'),
                         .time_ms = 1.0 + i};
    for (int p = 0; p < 40; ++p)
      tried.values.emplace_back(std::string(500, 'v') + fmt::to_string(i % (p + 2)));
    results.tried.push_back(tried);
  }
  const std::string page = html(Page{.kernels = {results}});
  EXPECT_EQ(testing::read_markup(page).problem, "");
  EXPECT_EQ(testing::read_markup(page).all("h4").size(), 12U);
  EXPECT_LT(page.size(), 400'000U);
}

}  // namespace
}  // namespace vyre::report
