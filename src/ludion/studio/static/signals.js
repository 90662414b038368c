// What the parts of a page tell each other: on("moved", listener) and emit("moved", detail).

export class Signals {
  #listeners = new Map();

  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) || []), listener]);
  }

  emit(name, detail) {
    for (const each of this.#listeners.get(name) || []) each(detail);
  }
}
