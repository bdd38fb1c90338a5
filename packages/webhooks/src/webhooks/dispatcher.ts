import { createDispatcher, type Dispatcher } from '../dispatch/dispatcher.ts'
import { joinDispatchers } from '../dispatch/join.ts'
import type { Destinations } from '../destinations/destinations.ts'
import type { Publisher } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createUnitRunner } from '../run/runner.ts'
import type { Core } from './core.ts'
import type { WebhookInbox } from './database.ts'
import { callAll, instrumentNotifications } from './instrument.ts'
import type { AnyOptions, RunnerDispatcherOptions } from './options.ts'
import { printHandlerError } from './report.ts'

/**
 * Opens the runner of the handlers, or the dispatcher of the publisher.
 *
 * @throws TypeError for both a publisher and handlers, for neither and no destinations, for options of the other one, for a
 * handler without its provider, and as `createRunner` and `createDispatcher`
 */
export function openDispatcher(options: AnyOptions, core: Core, destinations?: Destinations): Dispatcher {
  const { on, publisher } = options
  if (on === undefined ? !publisher && !destinations : publisher !== undefined)
    throw new TypeError('Set either on or publisher')
  if (publisher === undefined) return openRunner(options, core, on ?? {}, destinations)
  const publishing = openPublishing(options, core, publisher)
  if (destinations === undefined) return publishing
  const hooks = shareHooks(options, core)
  const { now, monotonicNow, random } = options.dispatcher ?? {}
  const runner = createUnitRunner({
    ...{ inbox: core.inbox, on: {}, destinations, lanesOnly: true },
    // The dispatcher of the bus notifies.
    ...(hooks.onAttempt && { onAttempt: hooks.onAttempt }),
    onError: hooks.onError,
    ...(now && { now }),
    ...(monotonicNow && { monotonicNow }),
    ...(random && { random }),
  })
  return joinDispatchers(publishing, runner)
}

function openRunner(
  options: AnyOptions,
  core: Core,
  on: NonNullable<AnyOptions['on']>,
  destinations: Destinations | undefined,
): Dispatcher {
  const { inbox, telemetry, providers } = core
  checkNames(providers, on)
  checkLanes(options, inbox)
  const { onHandlerError = printHandlerError, lanes: { onDead } = {} } = options
  return createUnitRunner({
    destinations,
    ...pickRunnerOptions(options.dispatcher),
    ...options.handlers,
    ...shareHooks(options, core),
    ...(onDead && { onDead }),
    ...(telemetry && { runHandler: telemetry.runHandler }),
    ...{ inbox, on, onHandlerError },
  })
}

function openPublishing(options: AnyOptions, core: Core, publisher: Publisher): Dispatcher {
  for (const name of ['handlers', 'lane', 'lanes', 'onHandlerError'] as const)
    if (options[name] !== undefined)
      throw new TypeError(`${name} needs handlers: set on instead of publisher`)
  return createDispatcher({
    ...options.dispatcher,
    ...shareHooks(options, core),
    ...{ inbox: core.inbox, publisher: core.telemetry?.publisher(publisher) ?? publisher },
  })
}

function shareHooks(options: AnyOptions, { telemetry, onError }: Core) {
  const onAttempt = callAll(telemetry?.onAttempt, options.onAttempt)
  const notifications = instrumentNotifications(options.dispatcher?.notifications, telemetry)
  return {
    ...(notifications && { notifications }),
    ...(onAttempt && { onAttempt }),
    onError: (error: unknown) => onError(error, 'inbox'),
  }
}

/** A handler without its provider would never run. */
function checkNames(providers: readonly AnyProvider[], on: object): void {
  const known = new Set(providers.map(({ name }) => name))
  const unknown = Object.keys(on).find((name) => !known.has(name.split('/', 1)[0] as string))
  if (unknown !== undefined)
    throw new TypeError(`The handler of "${unknown}" has no provider: add the provider to providers`)
}

function checkLanes({ lane, lanes }: AnyOptions, inbox: WebhookInbox): void {
  if (lane === undefined && lanes !== undefined) throw new TypeError('lanes needs lane, which names them')
  if (lane !== undefined && inbox.claimLanes === undefined)
    throw new TypeError('lane needs an inbox with lanes: claimLanes, settleLanes and renew')
  if (lanes?.onDead === 'pause' && lanes.ordered === false)
    throw new TypeError("lanes.onDead 'pause' needs ordered lanes")
}

const runnerOptions: Readonly<Record<keyof RunnerDispatcherOptions, true>> = {
  ...{ notifications: true, leaseMs: true, pollMs: true },
  ...{ now: true, monotonicNow: true, random: true },
}

/** @throws TypeError for an option that only a publisher has: it would have no effect on handlers */
function pickRunnerOptions(options: AnyOptions['dispatcher'] = {}): RunnerDispatcherOptions {
  const other = Object.keys(options).find((name) => !(name in runnerOptions))
  if (other !== undefined)
    throw new TypeError(`dispatcher.${other} needs a publisher; the limits of handlers are in handlers`)
  return options
}
