#include "worker/place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "support/subprocess.h"
#include "vyre/worker/options.h"

namespace vyre::worker {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;

// A file that can be run.
fs::path make_worker(const fs::path& file) {
  fs::create_directories(file.parent_path());
  fs::copy_file("/bin/true", file);
  return fs::canonical(file);
}

// A program, a shared library, a package and a prefix that have nothing to do with each other.
Landmarks landmarks_in(const fs::path& folder) {
  for (const char* one : {"app/bin", "vyre/lib"}) fs::create_directories(folder / one);
  return {.program = folder / "app/bin/app",
          .library = folder / "vyre/lib/libvyre.so.0.1",
          .told = {folder / "package/libexec/vyre/vyre-worker"},
          .installed = folder / "prefix/libexec/vyre/vyre-worker"};
}

TEST(Place, IsBesideTheProgramThenInItsPrefixThenInTheLibrarysThenWhatWasToldThenThePrefix) {
  const TemporaryDirectory folder;
  const Landmarks from = landmarks_in(folder.path());
  std::vector<fs::path> workers;
  for (const char* file :
       {"app/bin/vyre-worker", "app/libexec/vyre/vyre-worker", "vyre/libexec/vyre/vyre-worker",
        "package/libexec/vyre/vyre-worker", "prefix/libexec/vyre/vyre-worker"}) {
    workers.push_back(make_worker(folder.path() / file));
  }
  for (const fs::path& worker : workers) {
    const auto found = first_to_run(places(from));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, worker);
    fs::remove(worker);
  }
  EXPECT_FALSE(first_to_run(places(from)));
}

TEST(Place, IsFoundFromALibraryInTheFolderOfItsArchitecture) {
  const TemporaryDirectory folder;
  const fs::path worker = make_worker(folder.path() / "libexec/vyre/vyre-worker");
  fs::create_directories(folder.path() / "lib/x86_64-linux-gnu");
  const auto found =
      first_to_run(places({.library = folder.path() / "lib/x86_64-linux-gnu/libvyre.so.0.1",
                           .from_library = "../../libexec/vyre"}));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, worker);
}

TEST(Place, PassesOverWhatCannotBeRun) {
  const TemporaryDirectory folder;
  const std::string text = folder.write("text", "not a program");
  const std::string directory = folder.path() / "directory";
  fs::create_directory(directory);
  const std::string worker = make_worker(folder.path() / "vyre-worker");
  const auto found = first_to_run({text, directory, worker});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, worker);
}

TEST(Place, OfAMissingWorkerIsOneLineWithAllPlacesAndWhatToDo) {
  const auto found = first_to_run({"/nowhere/bin/vyre-worker", "/nowhere/libexec/vyre-worker"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::io);
  EXPECT_EQ(found.error().message,
            "the program vyre-worker is not there: looked for /nowhere/bin/vyre-worker, "
            "/nowhere/libexec/vyre-worker. It comes with vyre: install vyre again, or say where it "
            "is with worker::Options::program");
}

TEST(Place, IsListedOnceWithoutLinksAndDots) {
  const TemporaryDirectory folder;
  const fs::path real = fs::canonical(folder.path());
  fs::create_directories(real / "vyre/bin");
  fs::create_directory_symlink(real / "vyre", real / "current");
  const auto all = places({.program = real / "current/bin/app",
                           .told = {real / "current/libexec/vyre/vyre-worker"},
                           .installed = real / "vyre/lib/../libexec/vyre/vyre-worker"});
  EXPECT_EQ(all, (std::vector<std::string>{real / "vyre/bin/vyre-worker",
                                           real / "vyre/libexec/vyre/vyre-worker"}));
}

TEST(Place, ThatAPackageToldIsSearched) {
  const TemporaryDirectory folder;
  const fs::path worker = make_worker(folder.path() / "anywhere/vyre-worker");
  EXPECT_TRUE(detail::tell_worker(worker.c_str()));
  const auto found = find_program("");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, worker);
}

TEST(Place, ThatTheUserGivesIsTheOnlyOne) {
  const TemporaryDirectory folder;
  const fs::path worker = make_worker(folder.path() / "anywhere/vyre-worker");
  EXPECT_TRUE(detail::tell_worker(worker.c_str()));
  EXPECT_FALSE(find_program("/nowhere/vyre-worker"));
}

TEST(Place, IsToldByAHeaderOfThePackageToo) {
  const TemporaryDirectory folder;
  fs::create_directory(folder.path() / "include");
  // A folder beside the one of programs.
  const fs::path worker =
      make_worker(folder.path() / "include" / landmarks().from_program / "vyre-worker");
  const fs::path header = folder.path() / "include/vyre/worker/options.h";
  EXPECT_TRUE(detail::tell_header(header.c_str()));
  const auto found = find_program("");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, worker);
}

TEST(Place, IsNotWhatAPackageSaysOfTheFolderThatItWasCompiledIn) {
  const auto before = landmarks().told;
  EXPECT_FALSE(detail::tell_worker("libexec/vyre/vyre-worker"));
  EXPECT_FALSE(detail::tell_header("include/vyre/worker/options.h"));
  EXPECT_EQ(landmarks().told, before);
}

TEST(Place, CanBeToldFromAnyThreadAndAgain) {
  const std::string worker = "/nowhere/told/vyre-worker";
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EXPECT_TRUE(detail::tell_worker(worker.c_str()));
      EXPECT_EQ(std::ranges::count(places(landmarks()), worker), 1);
    });
  }
}

}  // namespace
}  // namespace vyre::worker
