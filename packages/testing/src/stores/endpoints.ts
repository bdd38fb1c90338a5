import type { EndpointRecord, EndpointStore } from '@sallyport/webhooks/endpoints'
import type { TestRunner } from '@sallyport/webhooks/testing'

const at = Date.UTC(2026, 0)

const endpoint = (id: string, changes: Partial<EndpointRecord> = {}): EndpointRecord => ({
  id,
  provider: 'doorbell',
  name: `Customer ${id}`,
  status: 'active',
  secrets: [{ id: 's1', value: `encrypted ${id}`, createdAt: at }],
  labels: { plan: 'free' },
  options: {},
  version: 1,
  createdAt: at,
  updatedAt: at,
  ...changes,
})

/**
 * Defines the conformance tests of {@link EndpointStore}.
 *
 * @param runner the functions of the test runner
 * @param createStore creates an empty store for each test
 */
export function testEndpointStore(
  { describe, expect, it }: TestRunner,
  createStore: () => EndpointStore | Promise<EndpointStore>,
): void {
  describe('an endpoint store', () => {
    it('returns stored endpoints, without unknown ones', async () => {
      const store = await createStore()
      const odd = endpoint('b', {
        name: 'Ä "\\ \u0000 \ud800',
        labels: { 'a.b': 'ü' },
        options: { only: ['a.*'], toleranceSeconds: 60 },
        handshakeUntil: at + 1,
        secrets: [{ id: 's1', value: 'encrypted b', createdAt: at, isReadable: true }],
      })
      expect(await store.insert(endpoint('a'))).toBe(true)
      expect(await store.insert(odd)).toBe(true)
      expect(await store.get(['a'])).toEqual([endpoint('a')])
      const found = await store.get(['b', 'unknown', 'a'])
      expect(found.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual([endpoint('a'), odd])
      expect(await store.get([])).toEqual([])
    })

    it('refuses an id in use', async () => {
      const store = await createStore()
      await store.insert(endpoint('a'))
      expect(await store.insert(endpoint('a', { name: 'another' }))).toBe(false)
      expect(await store.get(['a'])).toEqual([endpoint('a')])
    })

    it('undoes a change whose save rejects', async () => {
      const store = await createStore()
      const saved: string[] = []
      const refuse = () => Promise.reject(new Error('refused'))
      const toMessage = (error: unknown) => (error as Error).message
      const save = (name: string) => () => {
        saved.push(name)
        return Promise.resolve()
      }
      expect(await store.insert(endpoint('a'), refuse).catch(toMessage)).toBe('refused')
      expect(await store.get(['a'])).toEqual([])
      expect(await store.insert(endpoint('a'), save('insert'))).toBe(true)
      expect(await store.insert(endpoint('a'), save('second insert'))).toBe(false)
      const changed = endpoint('a', { version: 2 })
      expect(await store.replace(changed, 1, refuse).catch(toMessage)).toBe('refused')
      expect(await store.get(['a'])).toEqual([endpoint('a')])
      expect(await store.replace(changed, 1, save('replace'))).toBe(true)
      expect(await store.replace(changed, 1, save('second replace'))).toBe(false)
      expect(saved).toEqual(['insert', 'replace'])
    })

    it('replaces only the given version', async () => {
      const store = await createStore()
      await store.insert(endpoint('a'))
      await store.insert(endpoint('b'))
      const changed = endpoint('a', { status: 'disabled', secrets: [], version: 2, updatedAt: at + 1 })
      expect(await store.replace(changed, 2)).toBe(false)
      expect(await store.replace(changed, 1)).toBe(true)
      expect(await store.replace(changed, 1)).toBe(false)
      expect(await store.replace(endpoint('unknown'), 1)).toBe(false)
      expect(await store.get(['a'])).toEqual([changed])
      expect(await store.get(['b'])).toEqual([endpoint('b')])
    })

    it('lets one of several concurrent changes win', async () => {
      const store = await createStore()
      await store.insert(endpoint('a'))
      const results = await Promise.all(
        [1, 2, 3, 4].map((number) => store.replace(endpoint('a', { name: `${number}`, version: 2 }), 1)),
      )
      expect(results.filter(Boolean)).toEqual([true])
    })

    it('keeps the id of a deleted endpoint in use until it is pruned', async () => {
      const store = await createStore()
      await store.insert(endpoint('a'))
      expect(await store.delete('a', 2, at + 10)).toBe(false)
      expect(await store.delete('a', 1, at + 10)).toBe(true)
      expect(await store.delete('a', 1, at + 10)).toBe(false)
      expect(await store.get(['a'])).toEqual([])
      expect(await store.list({ limit: 10 })).toEqual([])
      expect(await store.count({})).toBe(0)
      expect(await store.replace(endpoint('a', { version: 2 }), 1)).toBe(false)
      expect(await store.insert(endpoint('a'))).toBe(false)
      expect(await store.prune(at + 10)).toBe(0)
      expect(await store.prune(at + 11)).toBe(1)
      expect(await store.insert(endpoint('a'))).toBe(true)
    })

    it('lists and counts by provider, status, name and time', async () => {
      const store = await createStore()
      await store.insert(endpoint('a', { createdAt: at, name: '100 %_ Cotton' }))
      await store.insert(endpoint('b', { createdAt: at + 1, status: 'disabled', name: 'Cotton club' }))
      await store.insert(endpoint('c', { createdAt: at + 1, provider: 'mailbox', name: 'Wool' }))
      const list = async (query: object) => (await store.list({ limit: 10, ...query })).map(({ id }) => id)
      expect(await list({})).toEqual(['c', 'b', 'a'])
      expect(await list({ order: 'oldest' })).toEqual(['a', 'b', 'c'])
      for (const [filter, ids] of [
        [{ provider: 'doorbell' }, ['b', 'a']],
        [{ status: 'active' }, ['c', 'a']],
        [{ ids: ['a', 'c', 'x'] }, ['c', 'a']],
        [{ ids: [] }, []],
        [{ search: 'COTTON' }, ['b', 'a']],
        [{ search: '%_' }, ['a']],
        [{ search: '100 %' }, ['a']],
        [{ search: 'o_t' }, []],
        [{ createdAfter: at }, ['c', 'b']],
        [{ provider: 'doorbell', status: 'disabled' }, ['b']],
      ] as const) {
        expect(await list(filter)).toEqual(ids)
        expect(await store.count(filter)).toBe(ids.length)
      }
    })

    it('selects by the exact names and values of labels', async () => {
      const store = await createStore()
      const label = (id: string, labels: Readonly<Record<string, string>>) =>
        store.insert(endpoint(id, { labels }))
      await label('a', { region: 'eu', plan: 'free' })
      await label('b', { plan: 'free', region: 'EU' })
      await label('c', { 'x"region': 'eu', subregion: 'eu', region: 'eu2' })
      await label('d', { plan: ',"region":"eu"', 'x,"region': 'eu' })
      await label('e', { plan: 'free', region: 'eu', odd: '\u0000 \ud800 "\\' })
      const find = async (labels: Readonly<Record<string, string>>) =>
        (await store.list({ limit: 10, labels, order: 'oldest' })).map(({ id }) => id)
      expect(await find({ region: 'eu' })).toEqual(['a', 'e'])
      expect(await find({ plan: 'free', region: 'EU' })).toEqual(['b'])
      expect(await find({ odd: '\u0000 \ud800 "\\' })).toEqual(['e'])
      expect(await find({ region: '%' })).toEqual([])
      expect(await store.count({ labels: { plan: 'free' } })).toBe(3)
    })

    it('pages by position and by offset', async () => {
      const store = await createStore()
      for (const id of ['a', 'b', 'c', 'd']) await store.insert(endpoint(id))
      const list = async (query: object) => (await store.list({ limit: 2, ...query })).map(({ id }) => id)
      expect(await list({ after: { createdAt: at, id: 'c' } })).toEqual(['b', 'a'])
      expect(await list({ order: 'oldest', after: { createdAt: at, id: 'b' } })).toEqual(['c', 'd'])
      expect(await list({ offset: 1 })).toEqual(['c', 'b'])
      expect(await list({ limit: 0 })).toEqual([])
    })

    it('returns each change after a position once', async () => {
      const store = await createStore()
      await store.insert(endpoint('a'))
      const { position: start, ids } = await store.changes({ limit: 10 })
      expect(ids).toEqual([])
      expect((await store.changes({ after: start, limit: 10 })).ids).toEqual([])
      await store.insert(endpoint('b'))
      await store.replace(endpoint('a', { version: 2 }), 1)
      await store.delete('b', 1, at)
      const { position, ids: changed = [] } = await store.changes({ after: start, limit: 10 })
      expect([...changed].sort()).toEqual(['a', 'b'])
      expect((await store.changes({ after: position, limit: 10 })).ids).toEqual([])
      const many = await store.changes({ after: start, limit: 1 })
      expect(many).toEqual({ position, ids: undefined })
    })
  })
}
