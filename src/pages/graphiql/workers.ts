/** Monaco's workers are files next to this one. As modules they share code with the page. */
const workers: Record<string, string> = { json: 'json.worker.js', graphql: 'graphql.worker.js' }

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string) =>
      new Worker(new URL(workers[label] ?? 'editor.worker.js', import.meta.url), { type: 'module' }),
  },
})
