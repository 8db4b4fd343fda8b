# VYRE_SANITIZE=address,undefined or thread: the whole build, tests included.
if(VYRE_SANITIZE)
  add_compile_options(-fsanitize=${VYRE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${VYRE_SANITIZE})
endif()

# The library counts the branches taken, so that the fuzzer sees where its inputs lead.
if(VYRE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
