import { z } from 'zod'

const texts = (description: string, example: readonly string[]) =>
  z.array(z.string()).meta({ description, examples: [[...example]] })

const summary = {
  name: z.string().meta({ examples: ['github'] }),
  title: z.string().meta({ description: 'The name of the service.', examples: ['GitHub'] }),
  registered: z.boolean().meta({ description: 'Whether the gateway receives deliveries of the provider.' }),
  form: z.enum(['service', 'normalized']).meta({
    description:
      'A service passes payloads through unchanged; a normalized provider is a neutral contract, and converts them to a stable schema.',
  }),
  trust: z.enum(['signed', 'partial', 'origin', 'none']).meta({
    description:
      '`signed` covers the body, `partial` a part of the delivery; `origin` proves only the sender, `none` nothing.',
  }),
  docs: z
    .string()
    .nullable()
    .meta({ description: 'The page of the service on its webhooks.', examples: ['https://docs.github.com'] }),
}

export const providerSummary = z.object(summary).meta({ id: 'ProviderSummary' })
export type ProviderSummary = z.infer<typeof providerSummary>

const identity = z
  .object({
    by: z.enum(['parts', 'body', 'delivery']).meta({
      description:
        '`parts` of the event, the hash of the `body`, or the `delivery`: each delivery is a new event.',
    }),
    parts: texts('The parts, for `parts`.', ['header x-github-delivery']),
    without: texts('The paths that the hash omits, for `body`.', []),
  })
  .meta({ id: 'ProviderIdentity' })

export const providerResource = z
  .object({
    ...summary,
    url: z
      .string()
      .nullable()
      .meta({
        description:
          'The address for the service. A path if the server does not know its public address. Null for a provider that is not registered.',
        examples: ['https://hooks.example.com/webhooks/github'],
      }),
    signature: z.object({
      headers: texts('The headers of the signature.', ['x-hub-signature-256']),
      covers: z
        .string()
        .nullable()
        .meta({ description: 'What the signature covers; null for the whole body.', examples: [null] }),
    }),
    secret: z.enum(['generated', 'given', 'handshake']).meta({
      description:
        '`generated`: an endpoint can generate it. `given`: only the service creates it. `handshake`: the service sends it.',
    }),
    handshake: texts('The methods by which the service verifies an address.', ['GET']),
    identity: identity
      .nullable()
      .meta({ description: 'What makes a delivery a duplicate; null for a normalized provider.' }),
    kind: texts('Where a service writes the kind of an event.', ['header x-github-event', 'action']),
    kinds: texts('The kinds of a normalized provider.', []),
    samples: texts('The kinds with a sample, for test deliveries.', ['push']),
    setup: texts('The steps in the settings of the service.', [
      'Open Settings, Webhooks, and add the address.',
    ]),
    traps: texts('Properties that surprise.', []),
    retries: z
      .string()
      .nullable()
      .meta({ description: 'When the service sends a delivery again; null if unknown.', examples: [null] }),
    confidence: z.enum(['primary', 'secondary']).nullable().meta({
      description:
        'Whether the facts are from the service, or from code that receives its deliveries; null without facts.',
    }),
    checked: z
      .string()
      .nullable()
      .meta({
        description: 'The month in which the facts were last compared with their sources; null if unknown.',
        examples: ['2026-11'],
      }),
    sources: texts('The pages and files that the facts follow.', ['https://docs.github.com/webhooks']),
  })
  .meta({ id: 'Provider' })
export type ProviderResource = z.infer<typeof providerResource>
