#include "vyre/base/expected.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "vyre/base/error.h"

namespace vyre {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorKind::input, "odd");
  return value / 2;
}

Result<int> quarter(int value) {
  VYRE_TRY(const int once, half(value));
  VYRE_TRY(const int twice, half(once));
  return twice;
}

Result<void> all_even(const std::vector<int>& values) {
  for (const int value : values) VYRE_CHECK(half(value));
  return {};
}

TEST(Expected, HoldsAValueOrAnError) {
  EXPECT_EQ(*half(4), 2);
  EXPECT_EQ(half(4), 2);
  ASSERT_FALSE(half(3));
  EXPECT_EQ(half(3).error().message, "odd");
  EXPECT_EQ(half(3).value_or(7), 7);
  EXPECT_FALSE(half(4) == half(3));
}

TEST(Expected, IsCopiedMovedAndAssignedBetweenValueAndError) {
  Expected<std::string, Error> text = std::string(100, 'x');
  const Expected<std::string, Error> failed = fail(ErrorKind::io, std::string(100, 'e'));
  Expected<std::string, Error> copy = text;
  EXPECT_EQ(copy, text);
  copy = failed;
  EXPECT_EQ(copy.error().message, std::string(100, 'e'));
  copy = std::move(text);
  EXPECT_EQ(*copy, std::string(100, 'x'));
  const Result<void> done;
  Result<void> other = fail(ErrorKind::io, "disk");
  EXPECT_FALSE(done == other);
  other = done;
  EXPECT_TRUE(other);
}

TEST(Expected, OfADerivedObjectIsOneOfItsBase) {
  struct Base {
    virtual ~Base() = default;
  };
  struct Derived : Base {};
  Result<std::unique_ptr<Base>> base =
      Result<std::unique_ptr<Derived>>(std::make_unique<Derived>());
  EXPECT_NE(*base, nullptr);
}

TEST(Expected, TryReturnsTheErrorOfWhatFailed) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(6).error().message, "odd");
  EXPECT_TRUE(all_even({2, 4}));
  EXPECT_EQ(all_even({2, 3}).error().message, "odd");
}

TEST(Expected, AValueThatIsNotThereStopsTheProgramWithTheError) {
  EXPECT_DEATH((void)*half(3), "a value was used that is not there: odd");
  EXPECT_DEATH(all_even({1}).value(), "not there: odd");
}

TEST(Error, HoldsAllProblemsAndPrintsALineForEach) {
  const Error error =
      one_error({{ErrorKind::input, "first", {1, 2}}, {ErrorKind::input, "second", {3, 4}}});
  EXPECT_EQ(to_string(error), "1:2: first\n3:4: second");
  ASSERT_EQ(error.all().size(), 2U);
  EXPECT_EQ(error.all()[0], (Error{ErrorKind::input, "first", {1, 2}}));
  EXPECT_EQ(error.all()[1].message, "second");
}

TEST(Error, KindsHaveNames) {
  EXPECT_EQ(name_of(ErrorKind::no_device), "no_device");
  EXPECT_EQ(name_of(ErrorKind::timeout), "timeout");
}

TEST(Error, IsTheExitStatusOfAProgram) {
  EXPECT_EQ(exit_status({}), 0);
  EXPECT_EQ(exit_status(fail(ErrorKind::io, "disk")), 1);
}

}  // namespace
}  // namespace vyre
