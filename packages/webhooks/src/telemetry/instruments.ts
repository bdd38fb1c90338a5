import type { Counter, Histogram, Meter } from '@opentelemetry/api'

/** What is counted and timed; durations are in seconds. */
export interface Instruments {
  readonly deliveries: Counter
  readonly ignored: Counter
  readonly verificationFailures: Counter
  readonly limiterBlocks: Counter
  readonly attempts: Counter
  readonly deadLetters: Counter
  readonly deliveryDuration: Histogram
  readonly recordDuration: Histogram
  readonly publishDuration: Histogram
  readonly publishLag: Histogram
  readonly notifyDuration: Histogram
}

/** Of steps within a process or a network. */
const short = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Of what may wait until an outage is over: up to the day after which an event is a dead letter. */
const long = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800, 7200, 28_800, 86_400]

export function createInstruments(meter: Meter): Instruments {
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(`sallyport.${name}`, { unit, description })
  const histogram = (name: string, description: string, explicitBucketBoundaries = short) =>
    meter.createHistogram(`sallyport.${name}`, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries },
    })

  return {
    deliveries: counter('deliveries', '{delivery}', 'Answered requests of the gateway'),
    ignored: counter('deliveries.ignored', '{delivery}', 'Verified deliveries of kinds without an event'),
    verificationFailures: counter(
      'verification.failures',
      '{delivery}',
      'Deliveries whose signature does not hold',
    ),
    limiterBlocks: counter(
      'limiter.blocks',
      '{delivery}',
      'Requests refused because their address is blocked',
    ),
    attempts: counter('attempts', '{attempt}', 'Ended attempts to publish an event or to notify of it'),
    deadLetters: counter('dead_letters', '{event}', 'Events and notifications that were given up'),
    deliveryDuration: histogram('delivery.duration', 'From the beginning of a request to its answer'),
    recordDuration: histogram('record.duration', 'Recording a delivery durably'),
    publishDuration: histogram('publish.duration', 'One attempt to publish a batch'),
    publishLag: histogram('publish.lag', 'From the receipt of an event to its publication', long),
    notifyDuration: histogram('notify.duration', 'One attempt to notify operators'),
  }
}
