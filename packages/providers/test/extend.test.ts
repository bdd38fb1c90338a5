import {
  createRunner,
  defineProvider,
  createMemoryInbox,
  type AnyProvider,
  type LimitedEventHandlers,
  type NormalizedEvent,
  type WithPayloads,
} from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { send } from './send.ts'
import { codehost } from '../src/neutral/codehost.ts'
import { github } from '../src/services/github.ts'

const handle = <Providers extends readonly AnyProvider[]>(on: LimitedEventHandlers<NoInfer<Providers>>) =>
  createRunner<Providers>({ inbox: createMemoryInbox(), on })

const push = z.object({ ref: z.string(), repository: z.object({ full_name: z.string() }) })
const events = { pushed: z.object({ ref: z.string() }) }

function toPushed(payload: unknown): NormalizedEvent<typeof events> {
  const { ref, repository } = push.parse(payload)
  return { kind: 'pushed', subject: repository.full_name, data: { ref } }
}

describe('a provider that extends a service', () => {
  const extended = defineProvider({
    ...github,
    events,
    normalize: (delivery) =>
      delivery.headers.get('x-github-event') === 'push'
        ? toPushed(delivery.payload)
        : github.normalize(delivery),
  })

  it('produces its own kinds, also without a dot, and those that it passes through', async () => {
    const body = { ref: 'refs/heads/main', repository: { full_name: 'octo/hello' }, commits: [] }
    const sent = await send(extended, body, { headers: { 'x-github-event': 'push' } })
    expect(sent.events).toMatchObject([{ name: 'github/pushed', data: { ref: 'refs/heads/main' } }])

    const starred = { action: 'created', starred_at: null, repository: { full_name: 'octo/hello' } }
    const passed = await send(extended, starred, { headers: { 'x-github-event': 'star' } })
    expect(passed.events).toMatchObject([{ name: 'github/star.created', data: starred }])
  })

  it('gives handlers the types of its kinds', () => {
    const runner = handle<[typeof extended]>({
      'github/pushed': ({ data }) => data.ref satisfies string,
    })
    expect(runner).toHaveProperty('start')
    // @ts-expect-error the kind is not declared
    handle<[typeof extended]>({ 'github/star.created': () => undefined })
    handle<[WithPayloads<typeof extended, { 'star.created': { starred_at: string | null } }>]>({
      'github/pushed': ({ data }) => data.ref satisfies string,
      'github/star.created': ({ data }) => data.starred_at satisfies string | null,
    })
  })

  it('returns only declared kinds with fitting data from normalize', () => {
    const facts = { subject: 'octo/hello' }
    // @ts-expect-error the kind is not declared
    defineProvider({ ...github, events, normalize: () => ({ ...facts, kind: 'push', data: { ref: '' } }) })
    // @ts-expect-error the data belong to another schema
    defineProvider({ ...github, events, normalize: () => ({ ...facts, kind: 'pushed', data: {} }) })
    expect(Object.keys(extended.events)).toEqual(['pushed'])
  })
})

describe('a provider that extends a normalized provider', () => {
  it('adds kinds', async () => {
    const extended = defineProvider({
      ...codehost,
      events: { ...codehost.events, ...events },
      normalize: (delivery) =>
        delivery.headers.get('x-github-event') === 'push'
          ? toPushed(delivery.payload)
          : codehost.normalize(delivery),
    })
    handle<[typeof extended]>({
      'codehost/pushed': ({ data }) => data.ref satisfies string,
      'codehost/package.published': ({ data }) => data.repository satisfies string | null,
    })
    const body = { ref: 'refs/heads/main', repository: { full_name: 'octo/hello' }, commits: [] }
    const sent = await send(extended, body, { headers: { 'x-github-event': 'push' } })
    expect(sent.events).toMatchObject([{ name: 'codehost/pushed' }])
  })

  it('replaces kinds, with its own notifications and queueable kinds', () => {
    const normalize = () => []
    // @ts-expect-error notify and queueable name kinds that the provider no longer has
    expect(() => defineProvider({ ...codehost, events, normalize })).toThrow(TypeError)
    const replaced = defineProvider({
      ...codehost,
      events,
      normalize,
      notify: (event) => ({ title: 'Push', text: event.data.ref, severity: 'info' }),
      queueable: ['pushed'],
    })
    expect(replaced.queueable).toEqual(['pushed'])
  })
})
