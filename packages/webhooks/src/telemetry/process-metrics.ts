import type { Meter } from '@opentelemetry/api'
import type { ProcessDependency, ProcessState } from '../processes/store.ts'
import { readFleet } from '../processes/fleet.ts'

/** A process as its metrics show it. */
export interface ObservedProcess {
  readonly version: string | undefined
  readonly roles: () => readonly string[]
  /** The dependencies as the process sees them. */
  readonly dependencies: () => readonly ProcessDependency[]
  /** All processes that share the database. */
  readonly processes: () => readonly ProcessState[]
}

const nanosecondsPerSecond = 1e9

/** Observes a process, its buses, and the processes beside it. @returns a function that stops the observation */
export function observeProcess(meter: Meter, observed: ObservedProcess): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description })
  const build = gauge('sallyport.build.info', '1', 'The version and the roles of the process; always 1')
  const bus = gauge('sallyport.bus.up', '1', 'Whether a bus or queue takes events of this process: 1 or 0')
  const bodies = gauge(
    'sallyport.body_store.up',
    '1',
    'Whether the store of large bodies answers this process: 1 or 0',
  )
  const processes = gauge('sallyport.processes', '{process}', 'Processes of the database by role and state')
  const memory = gauge('process.memory.usage', 'By', 'The resident memory of the process')
  const delays = {
    p50: gauge(
      'nodejs.eventloop.delay.p50',
      's',
      'The median delay of the event loop since the last collection',
    ),
    p99: gauge('nodejs.eventloop.delay.p99', 's', 'The 99th percentile of the delay'),
    max: gauge('nodejs.eventloop.delay.max', 's', 'The longest delay'),
  }
  // Other runtimes than Node.js lack one or the other.
  const runtime = globalThis.process as Partial<NodeJS.Process> | undefined
  const histogram = runtime?.getBuiltinModule?.('node:perf_hooks').monitorEventLoopDelay({ resolution: 20 })
  histogram?.enable()
  // SDKs repeat the last value of a gauge that is not observed.
  const roles = new Set<string>()

  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = (result) => {
    const node = runtime?.versions?.node
    result.observe(build, 1, {
      ...(observed.version !== undefined && { version: observed.version }),
      ...(node !== undefined && { node }),
      roles: observed.roles().join(','),
    })
    for (const { name, kind, status } of observed.dependencies()) {
      const up = status === 'ok' ? 1 : 0
      if (kind === 'bus') result.observe(bus, up, { bus: name })
      if (kind === 'bodies') result.observe(bodies, up)
    }
    const states = observed.processes()
    const fleet = readFleet(states).roles
    for (const { role } of fleet) roles.add(role)
    for (const role of states.length === 0 ? [] : roles) {
      const { alive = 0, dead = 0 } = fleet.find((one) => one.role === role) ?? {}
      result.observe(processes, alive, { role, state: 'alive' })
      result.observe(processes, dead, { role, state: 'dead' })
    }
    if (runtime?.memoryUsage) result.observe(memory, runtime.memoryUsage.rss())
    if (histogram === undefined || histogram.count === 0) return
    result.observe(delays.p50, histogram.percentile(50) / nanosecondsPerSecond)
    result.observe(delays.p99, histogram.percentile(99) / nanosecondsPerSecond)
    result.observe(delays.max, histogram.max / nanosecondsPerSecond)
    histogram.reset()
  }
  const instruments = [build, bus, bodies, processes, memory, ...Object.values(delays)]
  meter.addBatchObservableCallback(observe, instruments)
  return () => {
    histogram?.disable()
    meter.removeBatchObservableCallback(observe, instruments)
  }
}
