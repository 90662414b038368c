// Talking to the server: plain requests, and questions whose answers stream in.

async function answered(response) {
  if (response.ok) return response.json();
  let reason = `${response.status}`;
  try { reason = (await response.json()).error || reason; } catch { /* no reason given */ }
  const error = new Error(reason);
  error.status = response.status;
  throw error;
}

export const get = (path) => fetch(path).then(answered);

export const post = (path, body, signal) =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal }).then(answered);

// Ask a question that takes time. `on` maps the names of events to functions. Gives { done, stop, leave }: `stop`
// ends the search and keeps the best so far, `leave` forgets about it.
export function ask(game, what, body, on = {}) {
  const leaving = new AbortController();
  let job = null;
  let stopping = false;
  const sendStop = () => post(`/api/stop/${job}`, {}).catch(() => {});
  const done = (async () => {
    const response = await fetch(`/api/games/${game}/ask/${what}`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal: leaving.signal,
    });
    if (!response.ok) return answered(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let answer = null;
    for (;;) {
      const { value, done: ended } = await reader.read();
      if (ended) return answer;
      rest += value;
      const parts = rest.split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const match = /^event: (\w+)\ndata: (.*)$/s.exec(part);
        if (!match) continue;
        const [, kind, data] = match;
        const told = JSON.parse(data);
        if (kind === "job") { job = told.id; if (stopping) sendStop(); }
        if (kind === "answer") answer = told;
        if (kind === "error") throw new Error(told.error);
        on[kind]?.(told);
      }
    }
  })();
  done.catch(() => {});
  return { done, stop() { stopping = true; if (job) sendStop(); }, leave() { leaving.abort(); } };
}

export const wasLeft = (error) => error.name === "AbortError";
