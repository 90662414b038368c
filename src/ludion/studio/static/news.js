// What is said while a question waits in the queue, or its machine code is being made.

import { t } from "./strings.js";

export const waitingNews = (say, busy) => ({
  queued: (queue) => say(t("queued", { n: queue.ahead, m: queue.at_once })),
  compiling: ({ kernels }) => say(kernels.length ? t("compiling_kernels", { names: kernels.join(", ") }) : busy),
});
