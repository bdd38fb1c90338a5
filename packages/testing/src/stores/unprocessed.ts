import type { UnprocessedRecord, UnprocessedStore } from '@sallyport/webhooks/unprocessed'
import type { TestRunner } from '@sallyport/webhooks/testing'

const at = Date.UTC(2026, 0)

const record = (id: string, changes: Partial<UnprocessedRecord> = {}): UnprocessedRecord => ({
  id,
  outcome: 'ignored',
  provider: 'doorbell',
  kind: 'bell.polished',
  status: 200,
  receivedAt: at,
  headers: { 'x-signature': '[redacted]' },
  body: Uint8Array.of(0x7b, 0x7d),
  bodyBytes: 2,
  storedBytes: 100,
  ...changes,
})

const refused: Partial<UnprocessedRecord> = { outcome: 'refused', reason: 'mismatch', status: 401 }

const limits = { before: 0, deliveries: 1000, bytes: 1_000_000 }

/**
 * Defines the conformance tests of {@link UnprocessedStore}.
 *
 * @param runner the functions of the test runner
 * @param createStore creates an empty store for each test
 */
export function testUnprocessedStore(
  { describe, expect, it }: TestRunner,
  createStore: () => UnprocessedStore | Promise<UnprocessedStore>,
): void {
  describe('a store of unprocessed deliveries', () => {
    it('returns stored deliveries unchanged', async () => {
      const store = await createStore()
      const odd = record('b', {
        ...refused,
        endpoint: 'acme',
        kind: 'Ä \\ \u0000',
        headers: { 'x-odd': 'Ä "\\ \u0000 \ud800' },
        body: Uint8Array.from({ length: 256 }, (_, byte) => byte),
        bodyBytes: 1_000_000,
        proof: 'v1.encrypted',
      })
      await store.add([record('a'), { ...odd, values: ['one', 'two'] }])
      await store.add([])
      expect(await store.get('a')).toEqual(record('a'))
      expect(await store.get('b')).toEqual(odd)
      expect(await store.get('unknown')).toBe(undefined)
    })

    it('lists without contents', async () => {
      const store = await createStore()
      await store.add([record('a', { proof: 'v1.encrypted' })])
      const [listed] = await store.list({ limit: 10 })
      expect(listed).toEqual({
        id: 'a',
        outcome: 'ignored',
        provider: 'doorbell',
        kind: 'bell.polished',
        status: 200,
        receivedAt: at,
        bodyBytes: 2,
      })
    })

    it('lists and counts by all filters', async () => {
      const store = await createStore()
      await store.add([
        record('a'),
        record('b', { receivedAt: at + 1, kind: 'bell.cleaned', provider: 'mailbox', values: ['v-1', '%'] }),
        record('c', { ...refused, receivedAt: at + 2, endpoint: 'acme' }),
      ])
      for (const [filter, ids] of [
        [{}, ['c', 'b', 'a']],
        [{ outcome: 'ignored' }, ['b', 'a']],
        [{ provider: 'mailbox' }, ['b']],
        [{ endpoint: 'acme' }, ['c']],
        [{ endpoints: ['acme', 'globex'] }, ['c']],
        [{ endpoints: ['acme'], endpoint: 'globex' }, []],
        [{ endpoints: [] }, []],
        [{ kind: 'bell.cleaned' }, ['b']],
        [{ reason: 'mismatch' }, ['c']],
        [{ value: 'v-1' }, ['b']],
        [{ value: '%' }, ['b']],
        [{ value: 'v-' }, []],
        [{ receivedAfter: at }, ['c', 'b']],
        [{ receivedBefore: at + 2 }, ['b', 'a']],
        [{ outcome: 'refused', provider: 'mailbox' }, []],
      ] as const) {
        const found = await store.list({ ...filter, limit: 10 })
        expect(found.map(({ id }) => id)).toEqual(ids)
        expect(await store.count(filter)).toBe(ids.length)
      }
    })

    it('pages by position and by offset', async () => {
      const store = await createStore()
      await store.add(['a', 'b', 'c', 'd'].map((id) => record(id)))
      const list = async (query: object) => (await store.list({ limit: 2, ...query })).map(({ id }) => id)
      expect(await list({ after: { receivedAt: at, id: 'c' } })).toEqual(['b', 'a'])
      expect(await list({ order: 'oldest', after: { receivedAt: at, id: 'b' } })).toEqual(['c', 'd'])
      expect(await list({ offset: 1 })).toEqual(['c', 'b'])
      expect(await list({ limit: 0 })).toEqual([])
    })

    it('deletes a delivery once', async () => {
      const store = await createStore()
      await store.add([record('a'), record('b')])
      expect(await store.delete('a')).toBe(true)
      expect(await store.delete('a')).toBe(false)
      expect(await store.count({})).toBe(1)
    })

    it('erases the deliveries that match, in portions', async () => {
      const store = await createStore()
      await store.add([
        ...['a', 'b', 'c'].map((id) => record(id, { endpoint: 'acme' })),
        record('d', { endpoint: 'globex' }),
      ])
      expect(await store.erase({ endpoint: 'acme' }, { limit: 2 })).toBe(2)
      expect(await store.erase({ endpoint: 'acme' }, { limit: 2 })).toBe(1)
      expect(await store.erase({ endpoint: 'acme' }, { limit: 2 })).toBe(0)
      await store.add([record('e', { values: ['ann@example.com'] })])
      expect(await store.erase({ value: 'ann@example.com' }, { limit: 2 })).toBe(1)
      expect((await store.list({ limit: 10 })).map(({ id }) => id)).toEqual(['d'])
    })

    it('prunes by age', async () => {
      const store = await createStore()
      await store.add([record('a'), record('b', { receivedAt: at + 1 })])
      expect(await store.prune({ ...limits, before: at + 1 })).toBe(1)
      expect((await store.list({ limit: 10 })).map(({ id }) => id)).toEqual(['b'])
    })

    it('prunes the oldest deliveries of an outcome by number and by size', async () => {
      const store = await createStore()
      await store.add(Array.from({ length: 10 }, (_, id) => record(`i${id}`, { receivedAt: at + id })))
      await store.add(
        Array.from({ length: 10 }, (_, id) => record(`r${id}`, { ...refused, receivedAt: at + 100 + id })),
      )
      const list = async () => (await store.list({ limit: 100 })).map(({ id }) => id)
      expect(await store.prune({ ...limits, deliveries: 4 })).toBe(12)
      expect(await list()).toEqual(['r9', 'r8', 'r7', 'r6', 'i9', 'i8', 'i7', 'i6'])
      expect(await store.prune({ ...limits, bytes: 250 })).toBe(4)
      expect(await list()).toEqual(['r9', 'r8', 'i9', 'i8'])
      expect(await store.prune(limits)).toBe(0)
    })

    it('prunes the endpoint with the most bytes, not the deliveries of another endpoint', async () => {
      const store = await createStore()
      await store.add([
        record('quiet', { endpoint: 'acme' }),
        record('none'),
        ...Array.from({ length: 10 }, (_, id) =>
          record(`noisy${id}`, { endpoint: 'globex', receivedAt: at + 1 + id }),
        ),
      ])
      expect(await store.prune({ ...limits, deliveries: 4 })).toBe(8)
      const list = async () => (await store.list({ limit: 100 })).map(({ id }) => id)
      expect(await list()).toEqual(['noisy9', 'noisy8', 'quiet', 'none'])
      expect(await store.prune({ ...limits, bytes: 300 })).toBe(1)
      expect(await list()).toEqual(['noisy9', 'quiet', 'none'])
    })

    it('prunes the client with the most bytes, not the deliveries of another client', async () => {
      const store = await createStore()
      const from = (client: string, id: string, receivedAt: number, storedBytes = 100) =>
        record(id, { ...refused, client, receivedAt, storedBytes })
      await store.add([
        from('192.0.2.1', 'a', at),
        from('192.0.2.1', 'b', at + 1),
        ...Array.from({ length: 10 }, (_, id) => from(`198.51.100.${id}`, `forged${id}`, at + 2 + id, 500)),
      ])
      expect(await store.prune({ ...limits, bytes: 1200 })).toBe(8)
      expect((await store.list({ limit: 100 })).map(({ id }) => id)).toEqual(['forged9', 'forged8', 'b', 'a'])
      expect((await store.get('a'))?.client).toBe('192.0.2.1')
      expect('client' in ((await store.list({ limit: 1 }))[0] ?? {})).toBe(false)
    })

    it('prunes the client with the most deliveries beyond the number, however small they are', async () => {
      const store = await createStore()
      const from = (client: string, id: string, receivedAt: number, storedBytes: number) =>
        record(id, { ...refused, client, receivedAt, storedBytes })
      await store.add([
        ...['a', 'b', 'c'].map((id) => from('192.0.2.1', id, at, 1000)),
        ...Array.from({ length: 20 }, (_, id) => from(`198.51.100.${id % 2}`, `tiny${id}`, at + 1, 1)),
      ])
      expect(await store.prune({ ...limits, deliveries: 9 })).toBe(14)
      const ids = (await store.list({ limit: 100 })).map(({ id }) => id)
      expect(ids.filter((id) => !id.startsWith('tiny'))).toEqual(['c', 'b', 'a'])
    })

    it('prunes the endpoint with the most deliveries, from however many clients', async () => {
      const store = await createStore()
      const from = (client: string, id: string, endpoint: string) =>
        record(id, { ...refused, client, endpoint, receivedAt: at })
      await store.add([
        ...['a', 'b', 'c'].map((id) => from('192.0.2.1', id, 'acme')),
        ...Array.from({ length: 20 }, (_, id) => from(`198.51.100.${id}`, `flood${id}`, 'globex')),
      ])
      expect(await store.prune({ ...limits, deliveries: 6 })).toBe(17)
      expect(await store.count({ endpoint: 'acme' })).toBe(3)
      await store.add(Array.from({ length: 20 }, (_, id) => from(`203.0.113.${id}`, `more${id}`, 'globex')))
      expect(await store.prune({ ...limits, bytes: 600 })).toBe(20)
      expect(await store.count({ endpoint: 'acme' })).toBe(3)
    })

    it('prunes thousands of deliveries', async () => {
      const store = await createStore()
      await store.add(Array.from({ length: 2500 }, (_, id) => record(`${id}`)))
      expect(await store.prune({ ...limits, deliveries: 100 })).toBe(2400)
      expect(await store.count({})).toBe(100)
    })
  })
}
