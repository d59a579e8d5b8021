# shellcheck shell=bash
# What `scripts/check --long` does beyond the rest: whole tables, other generators, fuzzing, kills, and a
# short run of every configuration. Sourced by scripts/check; needs its `step` and its `temporary`.

node_counts() { "$narikin" perft --suite data/perft/perft.csv --threads "$(nproc)"; }

# train SECONDS CONFIG NAME: a run that must bring forth a trained generation.
train() {
    local dir=$temporary/$3 report
    report=$("$narikin" run "$2" --budget "$1s" --dir "$dir" --json --quiet \
        --set evaluate.verdict_budget=20s --set evaluate.verdict_games=4) || return 1
    rm -rf "$dir"
    python3 -c 'import json, sys; sys.exit(json.loads(sys.argv[1])["generations"] < 1)' "$report"
}

# Games with Debian's fairy-stockfish in every protocol.
real_engines() {
    local engine
    engine=$(PATH=$PATH:/usr/games command -v fairy-stockfish)
    cargo run --release --quiet -p hostile --bin real-engines -- "$engine" 10
}

long_steps() {
    local file name
    step "all node counts" node_counts
    step "mates confirmed by others" scripts/confirm-mates
    step "other generators" scripts/differential --games 50
    step "exports in Python" scripts/verify-exports
    step "fuzzing" scripts/fuzz all 60
    step "kills" scripts/kill-test 20
    if PATH=$PATH:/usr/games command -v fairy-stockfish >/dev/null; then
        step "games with real engines" real_engines
    else
        say "── games with real engines: left out, there is no fairy-stockfish here (apt-get install fairy-stockfish)"
    fi
    step "instruction counts" scripts/instructions
    for file in data/variants/*.toml; do
        name=$(basename "$file" .toml)
        step "30 s of $name" train 30 "configs/$name.toml" "$name"
    done
    for file in data/examples/*-run.toml; do
        name=$(basename "$file" .toml)
        step "60 s of $name" train 60 "$file" "$name"
    done
}
