import type { FanOut } from '../destinations/fan-out.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { Redactor } from '../gateway/accept.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { RecordingGateway } from '../gateway/gateway-contract.ts'
import type { WithInbox } from '../gateway/inbox-recorder.ts'
import type { EndpointSource } from '../ports/ports.ts'
import type { TrafficRecorder } from '../traffic/recorder.ts'
import type { UnprocessedKeeper } from '../unprocessed/keeper.ts'
import type { Addresses } from './addresses.ts'
import type { ClockWatch } from './clock.ts'
import type { Core } from './core.ts'
import type { Faults } from './faults.ts'
import { callAll } from './instrument.ts'
import type { AnyOptions } from './options.ts'

interface GatewayParts extends Pick<WithInbox, 'laneOf'> {
  readonly dispatcher: Dispatcher
  readonly fanOut: FanOut | undefined
  readonly redactor: Redactor | undefined
  readonly unprocessed: UnprocessedKeeper | undefined
  readonly traffic: TrafficRecorder | undefined
  readonly clock: ClockWatch
  readonly faults: Faults
}

/** Opens the gateway. @throws TypeError as `createGateway` */
export function openGateway(
  { gateway = {}, searchPaths }: AnyOptions,
  { inbox, providers, telemetry }: Core,
  { secrets, endpoints }: Addresses,
  { unprocessed, traffic, clock, faults, ...parts }: GatewayParts,
): RecordingGateway {
  const observe = callAll(
    telemetry?.observe,
    traffic?.observe,
    clock.observe,
    // An application that observes the gateway reports faults itself.
    gateway.observe ?? faults.observe,
  )
  return createGateway({
    ...(telemetry && { tracer: telemetry.tracer }),
    ...gateway,
    // Without secrets, `endpoints` is set, or every provider has been refused.
    ...(secrets ? { secrets, endpoints } : { endpoints: endpoints as EndpointSource }),
    ...{ providers, inbox, searchPaths, ...parts },
    onUnprocessed: callAll(unprocessed?.keep, clock.onUnprocessed),
    keepsBlocked: unprocessed !== undefined,
    ...(observe && { observe }),
  })
}
