"use strict";
/* The player: which moment is shown, and everything that moves it. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const run = backrankRun.read(data.run);
  const geometry = backrankGeometry(data.board, data.piece);
  const page = backrankPage(data, run, geometry);
  const { find, say } = page;
  const board = backrankBoard(find("board"), data, geometry);
  const walks = data.mode === "walk";
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const fastest = 300000;
  const FLASH = 450;

  let state = backrankRun.empty();
  let playing = false, owed = 0, before = 0, frame = 0, saidAt = 0, sayLater = 0;
  let capacity = 8;
  let moved = { at: -Infinity, from: -1, lasts: 0 };

  document.documentElement.classList.toggle("walk", walks);

  /* Speeds are even steps of a logarithm: 0 is one event per second, 100 five thousand per frame. */
  const speedOf = (value) => fastest ** (value / 100);
  const speed = () => speedOf(Number(find("speed").value));

  function shownSpeed() {
    const value = speed();
    const digits = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
    return value < 10 ? String(Math.round(value * 10) / 10) : page.grouped(Math.round(value / digits) * digits);
  }

  /* Go to a position, from anywhere. A single step glides and flashes. */
  function go(n) {
    n = Math.max(0, Math.min(run.count, Math.round(n)));
    const step = n - state.n;
    const here = state.stack.length ? state.stack[state.stack.length - 1] : -1;
    state = backrankRun.seek(run, state, n);
    const isGlide = Math.abs(step) === 1 && data.kind === "tour" && !still.matches;
    moved = { at: performance.now(), from: isGlide ? here : -1, lasts: Math.min(220, playing ? 700 / speed() : 220) };
    if (n === run.count && playing) pause();
    page.show(state, capacity);
    find("position").value = n;
    find("position").setAttribute("aria-valuetext", find("where").textContent);
    setEnabled();
    render();
    speakSoon();
  }

  function setEnabled() {
    const atStart = state.n === 0, atEnd = state.n === run.count;
    const allowed = {
      start: !atStart,
      back: !atStart,
      forward: !atEnd,
      end: !atEnd,
      "previous-backtrack": backrankRun.before(run.backtracks, state.n) >= 0,
      "next-backtrack": backrankRun.after(run.backtracks, state.n) >= 0,
      "previous-solution": backrankRun.before(run.solutions, state.n) >= 0,
      "next-solution": backrankRun.after(run.solutions, state.n) >= 0,
    };
    // Not disabled: a button that loses the focus while it is pressed would strand people who use the keyboard.
    for (const [id, on] of Object.entries(allowed)) find(id).setAttribute("aria-disabled", String(!on));
  }

  function hints() {
    if (!find("hints").checked || !data.piece.steps.length) return [];
    const { stack } = state;
    const taken = new Set(stack);
    if (data.kind === "queens") {
      const attacked = new Set(stack.flatMap((square) => geometry.reach(square, true)));
      return [...attacked].filter((square) => !taken.has(square)).map((square) => [square, ""]);
    }
    if (!stack.length) return [];
    const free = (square) => geometry.reach(square).filter((target) => !taken.has(target));
    return free(stack[stack.length - 1]).map((square) => [square, free(square).length]);
  }

  /* Draw the present moment, and go on drawing while something glides or fades. */
  function render() {
    cancelAnimationFrame(render.next);
    const past = performance.now() - moved.at;
    const i = state.n - 1;
    const event = i < 0 ? null : { kind: page.kindAt(state.n), square: run.squares[i], cause: data.run.causes[run.reasons[i]] };
    const fades = !still.matches && event && event.kind === "reject" && past < FLASH;
    const glides = moved.from >= 0 && past < moved.lasts;
    const share = glides ? past / moved.lasts : 1;
    board.draw({
      stack: state.stack,
      event,
      hints: hints(),
      numbers: find("numbers").checked,
      closing: data.closed && event && event.kind === "solution",
      flash: fades ? 1 - past / FLASH : 0,
      from: moved.from,
      share: share * (2 - share),
    });
    page.drawProfile(state.n);
    if ((fades || glides) && !playing) render.next = requestAnimationFrame(render);
  }

  /* Tell people who hear the page where it is: at rest soon, while it plays every few seconds. */
  function speakSoon() {
    clearTimeout(sayLater);
    const speak = () => {
      saidAt = performance.now();
      const text = `${find("where").textContent}. ${page.inWords(state.n, state)} ${say("said_depth", { depth: state.stack.length })}`;
      find("said").textContent = text;
      page.label(find("board"), `${say("board")}. ${text}`);
      find("board").removeAttribute("title");
    };
    if (playing && performance.now() - saidAt > 4000) speak();
    else sayLater = setTimeout(speak, playing ? 4000 : 350);
  }

  function tick(now) {
    if (!playing) return;
    owed += Math.min(now - before, 250) / 1000 * speed();
    before = now;
    const steps = Math.floor(owed);
    if (steps > 0) {
      owed -= steps;
      let target = Math.min(run.count, state.n + steps);
      const solution = backrankRun.after(run.solutions, state.n);
      if (find("stop").checked && solution >= 0 && solution <= target) {
        target = solution;
        pause();
      }
      go(target);
    } else {
      render();
    }
    if (playing) frame = requestAnimationFrame(tick);
  }

  function play() {
    if (playing || !run.count) return;
    if (state.n === run.count) go(0);
    playing = true;
    owed = 0;
    before = performance.now();
    setPlaying();
    frame = requestAnimationFrame(tick);
  }

  function pause() {
    playing = false;
    cancelAnimationFrame(frame);
    setPlaying();
    speakSoon();
  }

  function setPlaying() {
    document.documentElement.classList.toggle("playing", playing);
    page.label(find("play"), say(playing ? "pause" : "play"));
  }

  function to(n) {
    if (n < 0) return;
    pause();
    go(n);
  }

  function setSpeed(value) {
    find("speed").value = value;
    find("speed-text").textContent = say("per_second", { speed: shownSpeed() });
    find("speed").setAttribute("aria-valuetext", say("per_second_label", { speed: shownSpeed() }));
  }

  const actions = {
    start: () => to(0),
    back: () => to(state.n - 1),
    play: () => (playing ? pause() : play()),
    forward: () => to(state.n + 1),
    end: () => to(run.count),
    slower: () => setSpeed(Number(find("speed").value) - 5),
    faster: () => setSpeed(Number(find("speed").value) + 5),
    "previous-backtrack": () => to(backrankRun.before(run.backtracks, state.n)),
    "next-backtrack": () => to(backrankRun.after(run.backtracks, state.n)),
    "previous-solution": () => to(backrankRun.before(run.solutions, state.n)),
    "next-solution": () => to(backrankRun.after(run.solutions, state.n)),
    language: () => {
      page.toggleLanguage();
      setSpeed(find("speed").value);
      setPlaying();
      go(state.n);
    },
  };

  const keys = {
    " ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end",
    "+": "faster", "=": "faster", "-": "slower", "−": "slower", "_": "slower",
  };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    let action = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!walks && /^[bs]$/i.test(event.key)) {
      action = `${event.shiftKey ? "previous" : "next"}-${event.key.toLowerCase() === "b" ? "backtrack" : "solution"}`;
    }
    // What has the focus comes first: space presses a button, arrows move a slider.
    const focused = document.activeElement;
    if (event.key === " " && focused && focused.matches("button, [type=checkbox]")) return;
    if (focused && focused.id === "speed" && /^(Arrow|Home|End)/.test(event.key)) return;
    if (!action) return;
    event.preventDefault();
    actions[action]();
  }

  function fit() {
    const room = find("frame").clientWidth;
    const others = find("position").closest(".timeline").offsetHeight + find("play").offsetHeight + 16;
    const above = document.querySelector("main").offsetTop;
    const narrow = window.innerWidth <= 760;
    const foot = find("help").offsetHeight + 30;
    const high = narrow ? window.innerHeight * 0.6 : window.innerHeight - above - others - foot;
    board.fit(room, Math.max(high, 240));
    find("numbers-choice").hidden = data.kind !== "tour" || !board.isNumbered();
    // As many lines of the stack as there is room for.
    const line = parseFloat(getComputedStyle(find("stack")).lineHeight) * 1.06;
    const margins = 4 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const top = find("stack").getBoundingClientRect().top + window.scrollY;
    const below = window.innerHeight - top - find("help").offsetHeight - margins;
    capacity = narrow ? 8 : Math.max(4, Math.floor(below / line) - 1);
    page.show(state, capacity);
    render();
  }

  for (const [id, act] of Object.entries(actions)) {
    find(id).addEventListener("click", (event) => {
      if (find(id).getAttribute("aria-disabled") !== "true") act();
      // After a click with the mouse, space plays again rather than pressing the button once more.
      if (event.detail > 0) find(id).blur();
    });
  }
  find("position").addEventListener("input", () => to(Number(find("position").value)));
  find("speed").addEventListener("input", () => setSpeed(find("speed").value));
  for (const id of ["numbers", "hints"]) find(id).addEventListener("change", render);
  const scrub = (event) => {
    if (event.buttons & 1) to(event.offsetX / find("profile").clientWidth * run.count);
  };
  find("profile").addEventListener("pointerdown", scrub);
  find("profile").addEventListener("pointermove", scrub);
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => document.hidden && pause());
  window.addEventListener("resize", fit);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fit);

  find("position").max = run.count;
  find("hints-choice").hidden = !data.piece.steps.length || geometry.size > 2500;
  page.setTexts();
  setSpeed(100 * Math.log(Math.min(Math.max(run.count / 60, 3), 40)) / Math.log(fastest));
  setPlaying();
  go(0);
  fit();
  // Whoever asks for less motion sees a finished tour whole, and a search before its first step.
  if (!still.matches) play();
  else if (walks) go(run.count);

  // For tests and for the curious: where the player is, and a way to go elsewhere.
  window.backrank = { go: to, play, pause, get state() { return { ...state, playing }; }, count: run.count };
})();
