// Talking to the server: plain requests, and questions whose answers stream in. It answers in the page's language.

const headers = (more = {}) => ({ "accept-language": document.documentElement.lang, ...more });

async function answered(response) {
  if (response.ok) return response.json();
  let reason = `${response.status}`;
  try {
    reason = (await response.json()).error || reason;
  } catch {
    /* no reason given */
  }
  const error = new Error(reason);
  error.status = response.status;
  throw error;
}

const send = (path, body, signal) =>
  fetch(path, {
    method: "POST",
    headers: headers({ "content-type": "application/json" }),
    body: JSON.stringify(body),
    signal,
  });

export const get = (path) => fetch(path, { headers: headers() }).then(answered);

export const post = (path, body) => send(path, body).then(answered);

// Ask a question that takes time. `on` maps the names of events to functions. Gives { done, stop, leave }: `stop`
// ends the search and keeps the best so far, `leave` forgets about it.
export function ask(game, what, body, on = {}) {
  const leaving = new AbortController();
  let job = null;
  let stopping = false;
  const sendStop = () => post(`/api/stop/${job}`, {}).catch(() => {});
  const done = (async () => {
    const response = await send(`/api/games/${game}/ask/${what}`, body, leaving.signal);
    if (!response.ok) return answered(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let answer = null;
    for (;;) {
      const { value: text, done: ended } = await reader.read();
      if (ended) return answer;
      rest += text;
      const parts = rest.split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const match = /^event: (\w+)\ndata: (.*)$/s.exec(part);
        if (!match) continue;
        const [, kind, data] = match;
        const value = JSON.parse(data);
        if (kind === "job") {
          job = value.id;
          if (stopping) sendStop();
        }
        if (kind === "answer") answer = value;
        if (kind === "error") throw new Error(value.error);
        on[kind]?.(value);
      }
    }
  })();
  done.catch(() => {});
  return {
    done,
    stop() {
      stopping = true;
      if (job) sendStop();
    },
    leave() {
      leaving.abort();
    },
  };
}

export const wasLeft = (error) => error.name === "AbortError";
