import { createDispatcher } from '../dispatch/dispatcher.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { GatewayRequest } from '../gateway/gateway-contract.ts'
import type { EventOfKind } from '../handlers/event-handlers.ts'
import { createMemoryInbox } from '../memory/inbox.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { Service } from '../provider/service.ts'
import { signDelivery } from '../schemes/sign-delivery.ts'
import { staticSecrets } from '../secrets/secret-keeper.ts'
import { plainHeaders, type ProviderSample } from './provider-options.ts'
import { encodeSampleBody, presentSample } from './service-samples.ts'

/** Recorded deliveries: a list, such as `@sallyport/providers/github/samples`, or a function that returns one of a kind. */
export type SampleSource = readonly ProviderSample[] | { readonly sample: (kind: string) => ProviderSample }

export interface SampleEventOptions {
  /** The secret that verifies. @default a text of 40 characters that is base64 after `whsec_` */
  readonly secret?: string
  /** The secret that signs, for a pair of keys. @default the secret that verifies */
  readonly signingSecret?: string
}

/**
 * Creates the event of a sample as a handler receives it: the sample is signed, and takes the path of a delivery through a
 * gateway, an inbox in memory and a dispatcher.
 *
 * @throws TypeError for a kind without a sample
 * @throws Error for a sample that the gateway does not accept, and for a sample without an event of the kind
 *
 * @example
 * ```ts
 * import { github } from '@sallyport/providers/github'
 * import samples from '@sallyport/providers/github/samples' with { type: 'json' }
 * import { createSampleEvent } from '@sallyport/webhooks/testing'
 *
 * const event = await createSampleEvent(github, 'push', samples)
 * ```
 */
export function createSampleEvent<const Provider extends AnyProvider, const Kind extends string>(
  provider: Provider,
  kind: Kind,
  samples: SampleSource,
  options: SampleEventOptions = {},
): Promise<EventOfKind<Provider, Kind>> {
  return handleSample(provider, kind, samples, (event) => event, options)
}

/**
 * Passes a sample to a handler as in production: the sample is signed, verified by a gateway, recorded in an inbox in memory
 * and dispatched. Returns what the handler returns for the first event of the kind.
 *
 * @throws the error of the handler, which runs once
 * @throws TypeError for a kind without a sample
 * @throws Error for a sample that the gateway does not accept, and for a sample without an event of the kind
 *
 * @example
 * ```ts
 * import { github } from '@sallyport/providers/github'
 * import samples from '@sallyport/providers/github/samples' with { type: 'json' }
 * import { handleSample } from '@sallyport/webhooks/testing'
 *
 * const subject = await handleSample(github, 'push', samples, (event) => event.subject)
 * ```
 */
export async function handleSample<const Provider extends AnyProvider, const Kind extends string, Result>(
  provider: Provider,
  kind: Kind,
  samples: SampleSource,
  handler: (event: EventOfKind<Provider, Kind>, signal: AbortSignal) => Result | Promise<Result>,
  options: SampleEventOptions = {},
): Promise<Result> {
  const { name } = provider
  const handled = Promise.withResolvers<Result>()
  let calls = 0

  const refuse = (outcome: string, reason?: string) => {
    const detail = reason === undefined ? outcome : `${outcome}: ${reason}`
    handled.reject(new Error(`The sample gave no event of the kind "${kind}" (${detail})`))
  }

  const inbox = createMemoryInbox()
  const dispatcher = createDispatcher({
    inbox,
    publisher: {
      async publish(events, signal) {
        const event = events.find((one) => one.name === `${name}/${kind}`)
        if (event === undefined) refuse('accepted')
        // The first result counts: another event of the delivery does not call the handler.
        else if (calls++ === 0) {
          await Promise.resolve(event as EventOfKind<Provider, Kind>)
            .then((typed) => handler(typed, signal))
            .then(handled.resolve, handled.reject)
        }
        return events.map(() => ({ ok: true as const }))
      },
    },
  })
  const delivery = await signSample(provider, findSample(provider, kind, samples), options)
  const { secret = defaultSecret } = options
  const gateway = createGateway({
    providers: [provider],
    allowUnsigned: [name],
    secrets: staticSecrets({ [name]: [secret] }),
    inbox,
    dispatcher,
    observe({ outcome, reason }) {
      if (outcome !== 'accepted') refuse(outcome, reason)
    },
  })
  dispatcher.start()
  try {
    const request: GatewayRequest = {
      ...delivery,
      provider: name,
      readBody(sink) {
        sink.push(delivery.body)
        return Promise.resolve()
      },
    }
    const [result] = await Promise.all([handled.promise, gateway.handle(request)])
    return result
  } finally {
    await dispatcher.stop()
  }
}

const defaultSecret = `whsec_${btoa('the secret of the webhook')}`

function findSample(provider: AnyProvider, kind: string, samples: SampleSource): ProviderSample {
  if ('sample' in samples) return samples.sample(kind)
  const sample = samples.find((one) => one.kind === kind)
  if (sample === undefined) throw new TypeError(`No sample of "${kind}" exists`)
  return 'service' in provider ? presentSample(provider as unknown as Service, sample, Date.now()) : sample
}

async function signSample(
  { name, signature }: AnyProvider,
  { headers, body }: ProviderSample,
  { secret = defaultSecret, signingSecret = secret }: SampleEventOptions,
) {
  const url = `https://hooks.example.com/webhooks/${name}`
  const unsigned = { method: 'POST', url, headers: plainHeaders(headers), body: encodeSampleBody(body) }
  const signed = await signDelivery(signature, unsigned, signingSecret, Date.now())
  return { ...unsigned, ...signed, headers: plainHeaders({ ...headers, ...signed.headers }) }
}
