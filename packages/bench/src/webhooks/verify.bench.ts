import { defineMicro } from '../frame/micro.ts'
import { numberedDeliveries } from '../frame/numbered.ts'
import { createRunLoad } from './delivery.ts'
import { bare, ours, createSecret, signBody, type Signed } from './verify-own.ts'
import { peers } from './verify-peers.ts'

const sizes = [
  [1, 'KB'],
  [10, 'KB'],
  [100, 'KB'],
] as const

const counts = [
  ['one-secret', 'one secret', [1]],
  ['two-secrets', 'two secrets, of which the older one signed', [2, 1]],
] as const

const sides = [
  bare,
  ours.github,
  peers.octokit,
  peers.tern,
  ours.stripe,
  peers.stripe,
  ours.standard,
  peers.svix,
  peers.standard,
]

export default counts.flatMap(([suffix, words, numbers]) =>
  sizes.map(([size, unit]) =>
    defineMicro<Signed>({
      name: `verify-${size}kb-${suffix}`,
      what: `Verifies the signature of a delivery of ${size} ${unit} with ${words}; each library in its scheme, over the same bytes.`,
      base: bare.name,
      target: [
        { side: ours.github.name, atLeast: 0.97 },
        { side: ours.github.name, than: peers.octokit.name, atLeast: 1 },
        { side: ours.github.name, than: peers.tern.name, atLeast: 4 },
        { side: ours.stripe.name, than: peers.stripe.name, atLeast: 1 },
        { side: ours.standard.name, than: peers.svix.name, atLeast: 4 },
        { side: ours.standard.name, than: peers.standard.name, atLeast: 4 },
      ],
      prepare: () =>
        signBody(numberedDeliveries(createRunLoad(size * 1024))().body, numbers.map(createSecret)),
      agree: (verified) => verified,
      sides: sides.map(({ name, does, create }) => ({ name, does, setup: create })),
    }),
  ),
)
