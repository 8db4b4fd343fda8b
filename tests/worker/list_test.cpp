#include "worker/list.h"

#include <gtest/gtest.h>

#include "support/worker.h"

namespace vyre::worker {
namespace {

using testing::worker_options;

TEST(List, HasTheDevicesThatTheMachineHas) {
  const auto listing = list(worker_options());
  ASSERT_TRUE(listing) << listing.error().message;
  const device::Listing own = device::list();
  EXPECT_EQ(listing->opencl, own.opencl);
  ASSERT_EQ(listing->devices.size(), own.devices.size());
  for (std::size_t i = 0; i < own.devices.size(); ++i) {
    EXPECT_EQ(listing->devices[i].which, own.devices[i].which);
    EXPECT_EQ(listing->devices[i].adapter.id(), own.devices[i].adapter.id());
  }
}

TEST(List, SaysHowTheWorkerEndedThatWasToMakeIt) {
  const auto listing = list({.program = "/bin/false"});
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().kind, ErrorKind::no_device);
  EXPECT_EQ(listing.error().message,
            "listing the devices brought its process down: it ended with status 1");
}

TEST(List, IsRefusedWhereTheWorkersProgramIsMissing) {
  const auto listing = list({.program = "/nonexistent/vyre-worker"});
  ASSERT_FALSE(listing);
  EXPECT_TRUE(listing.error().message.contains("/nonexistent/vyre-worker"));
}

}  // namespace
}  // namespace vyre::worker
