import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replicas } from '../../database/postgres/replicas.ts'

export function watchReplicas(stats: Replicas['stats'], registers: Registry[]): void {
  new Gauge({
    name: 'tributary_replica_up',
    help: 'Whether a replica answers reads: 1, or 0 while it is left out.',
    labelNames: ['replica'],
    registers,
    aggregator: 'min',
    collect() {
      for (const { name, state } of stats().replicas) this.set({ replica: name }, state === 'used' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'tributary_replica_behind_bytes',
    help: 'How much of the log a replica had not replayed when it was asked last.',
    labelNames: ['replica'],
    registers,
    aggregator: 'max',
    collect() {
      for (const { name, behindBytes } of stats().replicas) this.set({ replica: name }, behindBytes)
    },
  })
  new Counter({
    name: 'tributary_replica_reads_total',
    help: 'Reads that a replica has answered since the start.',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset()
      for (const { name, reads } of stats().replicas) this.inc({ replica: name }, reads)
    },
  })
  new Counter({
    name: 'tributary_replica_fallbacks_total',
    help: 'Reads for replicas that the primary answered since the start: no replica was in use (away), none caught up in time (behind), or one failed (failed).',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(stats().fallbacks)) this.inc({ reason }, count)
    },
  })
}
