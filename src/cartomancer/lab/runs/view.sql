SET python_enable_replacements = false;
SET memory_limit = '{memory}MiB';
SET temp_directory = '';  -- what does not fit into memory fills no disk either

-- SplitMix64, as `rng.stream_start` has it: products are taken of 128 bits and cut to 64
CREATE MACRO cut(z) AS (z & 18446744073709551615::UHUGEINT)::UBIGINT;
CREATE MACRO mix_1(z) AS cut(xor(z, z >> 30)::UHUGEINT * 13787848793156543929::UHUGEINT);
CREATE MACRO mix_2(z) AS cut(xor(z, z >> 27)::UHUGEINT * 10723151780598845931::UHUGEINT);
CREATE MACRO mix_3(z) AS xor(z, z >> 31);
CREATE MACRO run_seed(start, run) AS
    mix_3(mix_2(mix_1(cut(start::UHUGEINT + {golden}::UHUGEINT * (run + 1)::UHUGEINT))));

CREATE VIEW runs AS {jobs};

-- from here on only these files are read, and nothing of this can be changed
SET allowed_paths = [{paths}];
SET enable_external_access = false;
SET lock_configuration = true;
