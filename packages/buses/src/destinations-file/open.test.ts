import { openReceiver } from '@sallyport/test-support/hosts'
import { createEvent } from '@sallyport/webhooks/testing'
import { environmentSecrets } from '@sallyport/webhooks/secret-stores'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { destinationSchema } from '@sallyport/webhooks/filter'
import { createDestinationOpener } from './index.ts'

const secret = `whsec_${Buffer.from('the secret of this destination..').toString('base64')}`
const older = `whsec_${Buffer.from('the older secret of destination.').toString('base64')}`

const parse = (declarations: readonly object[]) =>
  declarations.map((one) => destinationSchema.parse({ url: 'https://a.example.com/the-key', ...one }))
const createOpener = (environment: Readonly<Record<string, string>>) =>
  createDestinationOpener({
    ...{ secrets: environmentSecrets(environment), providers: [], allowPrivate: ['127.0.0.0/8'] },
  })
const open = (declarations: readonly object[], environment: Readonly<Record<string, string>>) =>
  createOpener(environment)(parse(declarations))

it('keeps the destinations whose declarations stay, also after a problem', async () => {
  const opener = createOpener({ DESTINATION_SECRET: secret })
  const first = opener(parse([{ name: 'a' }, { name: 'b' }])).destinations
  expect(opener(parse([{ name: 'a' }, { name: 'a' }])).problems).toHaveLength(1)
  const second = opener(parse([{ name: 'a' }, { name: 'b', concurrency: 2 }])).destinations
  expect([second[0] === first[0], second[1] === first[1]]).toEqual([true, false])
  for (const one of new Set([...first, ...second])) await one.close()
})

it('signs with the secrets of the variable, one a line', async () => {
  await using receiver = await openReceiver()
  const declaration = { name: 'a', url: receiver.url, mode: 'event', secret: 'DESTINATION_SECRET_A' }
  const { destinations, problems } = open([declaration], { DESTINATION_SECRET_A: `${secret}\n${older}` })
  expect(problems).toEqual([])
  const message = { deliveryId: 'd', events: [createEvent('a', 0)], attempt: 1 }
  for (const one of destinations) {
    await one.send(message, new AbortController().signal)
    await one.close()
  }
  const [request] = receiver.requests
  for (const one of [secret, older])
    expect(new Webhook(one).verify(request!.body, request!.headers as Record<string, string>)).toBeTypeOf(
      'object',
    )
})

it.each([
  [[{ name: 'a' }], 'DESTINATION_SECRET_B', 'DESTINATION_SECRET is missing: the destination a needs it'],
  [[{ name: 'a' }, { name: 'a' }], 'DESTINATION_SECRET', 'The destination a is declared twice'],
  [
    [{ name: 'a', url: 'http://10.0.0.1/the-key' }],
    'DESTINATION_SECRET',
    'The destination a: The address of the destination',
  ],
  [
    [{ name: 'a', url: 'ftp://the-key' }],
    'DESTINATION_SECRET',
    'The destination a: url of a destination must be',
  ],
])('reports %j without quoting a secret', (declarations, name, problem) => {
  const { problems } = open(declarations, { [name]: secret })
  expect(problems).toEqual([expect.stringContaining(problem)])
  expect(problems.join()).not.toMatch(/the-key|whsec/)
})

it('reports an unusable secret', () => {
  expect(open([{ name: 'a' }], { DESTINATION_SECRET: 'the-key' }).problems).toEqual([
    expect.stringMatching(/^The destination a: secrets must be/),
  ])
})
