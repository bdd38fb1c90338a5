import { createGateway, getTrust, createMemoryInbox, type AnyProvider } from '@sallyport/webhooks'
import { createTestDeliverySender } from '@sallyport/test-support/webhooks'
import { expect, it } from 'vitest'
import { builtInProviders } from '../src/index.ts'
import { builtInSamples } from '../src/samples.ts'

async function open(provider: AnyProvider, secret: string) {
  const { name } = provider
  const endpoints = {
    find: () => ({ id: 'acme', provider: name, status: 'active' as const, secrets: [secret] }),
  }
  const allowUnsigned = getTrust(provider) === 'signed' ? [] : [name]
  const gateway = createGateway({
    providers: [provider],
    endpoints,
    inbox: createMemoryInbox(),
    allowUnsigned,
  })
  const samples = await builtInSamples.get(name)?.()
  const send = createTestDeliverySender({
    ...{ endpoints, gateway, providers: [provider] },
    loadSamples: () => samples,
  })
  return { send, kinds: samples?.kinds ?? [] }
}

/** Services that create their shared secrets. */
const given = [
  ...[
    'cloudinary',
    'dialpad',
    'jira-app',
    'lark',
    'livekit',
    'midtrans',
    'monday',
    'moralis',
    'netlify',
    'payu',
  ],
  ...['qstash', 'vonage'],
]

const withShared = builtInProviders.filter(
  ({ name, signature }) => signature.createSecret !== undefined || given.includes(name),
)
const withPublicKey = builtInProviders.filter((provider) => !withShared.includes(provider))

it.each(withShared.map((provider) => [provider.name, provider] as const))(
  '%s accepts two test deliveries of every sample',
  async (_, provider) => {
    const { send, kinds } = await open(provider, provider.signature.createSecret?.() ?? 'a given secret')
    expect(kinds).not.toEqual([])
    for (const kind of kinds) {
      const outcomes = [await send('acme', kind), await send('acme', kind)].map((result) => result?.outcome)
      expect([kind, ...outcomes]).toEqual([kind, 'accepted', 'accepted'])
    }
  },
)

it.each(withPublicKey.map((provider) => [provider.name, provider] as const))(
  '%s has deliveries that only the service signs',
  async (_, provider) => {
    const { send, kinds } = await open(provider, 'a public key')
    await expect(send('acme', kinds[0] ?? '')).rejects.toMatchObject({ code: 'CONFLICT' })
  },
)
