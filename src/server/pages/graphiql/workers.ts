/** Monaco's workers are files beside this one. As modules they share with the page what both are made of. */
const workers: Record<string, string> = { json: 'json.worker.js', graphql: 'graphql.worker.js' }

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string) =>
      new Worker(new URL(workers[label] ?? 'editor.worker.js', import.meta.url), { type: 'module' }),
  },
})
