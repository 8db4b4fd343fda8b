// The whole public API in one include. Each header says what it is for; start with vyre/ir/text.h
// (a program from its text), vyre/device/device.h (where it runs) and vyre/run/run.h (running it).
#pragma once

#include "vyre/base/error.h"
#include "vyre/base/hash.h"
#include "vyre/device/device.h"
#include "vyre/emit/emit.h"
#include "vyre/interpret/interpret.h"
#include "vyre/ir/build.h"
#include "vyre/ir/compose.h"
#include "vyre/ir/expr.h"
#include "vyre/ir/facts.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"
#include "vyre/ir/type.h"
#include "vyre/ir/validate.h"
#include "vyre/run/compare.h"
#include "vyre/run/data.h"
#include "vyre/run/run.h"
#include "vyre/worker/kernel.h"
#include "vyre/worker/session.h"
