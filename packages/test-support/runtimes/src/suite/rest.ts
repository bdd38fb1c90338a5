import {
  answerList,
  createCursorCodec,
  createIdempotency,
  createMemoryIdempotencyStore,
  dataEnvelope,
  defineListQuery,
  hashETag,
  type CursorEnvelope,
  type IdempotentRequest,
} from '@sallyport/rest'
import type { Specimens } from '../specimens.ts'
import { defineCases, expectEqual, expectError } from './case.ts'
import { binding, cursorAnchor, etagged, secret, toJson } from './fixed.ts'

const names = ['Zoë', 'ada', null, '☃', 'Ada', null, 'b']
const rows = names.map((name, index) => ({ id: index + 1, name }))
const list = defineListQuery({
  sortable: { id: {}, name: { nullable: true, nulls: 'last' } },
  defaultSort: 'name',
  searchable: 'name',
})

const cursors = createCursorCodec({ keys: [secret] })

export const restCases = ({ cursor, etag }: Specimens) =>
  defineCases('rest', {
    'a cursor is valid only with its binding'() {
      const codec = createCursorCodec({ keys: [secret] })
      const made = codec.encode(cursorAnchor, binding)
      const decoded = codec.decode(made, binding)
      const position = decoded !== undefined && 'position' in decoded ? decoded.position : []
      expectEqual(
        position.map((value) => (typeof value === 'bigint' ? String(value) : value)),
        ['Zoë ☃', null, '7', new Date(Date.UTC(2026, 0)), 'id-1'],
      )
      expectEqual([codec.decode(made, 'another'), codec.decode(`${made}A`, binding)], [undefined, undefined])
    },
    'a cursor equals that of another runtime'() {
      expectEqual(createCursorCodec({ keys: [secret] }).encode(cursorAnchor, binding), cursor)
    },
    'an entity tag equals that of another runtime'() {
      expectEqual(hashETag(etagged), etag)
    },
    'paging by cursor returns every row once': async () => {
      const seen: number[] = []
      let next = ''
      for (let more = true; more;) {
        const query = list.parse(`limit=2&cursor=${next}`, { cursors })
        const { body } = await answerList(query, { address: { url: '/', query: '' }, cursors }, rows)
        const { data, meta } = body as CursorEnvelope<(typeof rows)[number]>
        seen.push(...data.map(({ id }) => id))
        more = meta.hasMore && seen.length < 20
        next = meta.nextCursor
      }
      expectEqual(
        seen.toSorted((one, other) => one - other),
        rows.map(({ id }) => id),
      )
      expectEqual(seen.slice(-2), [3, 6])
    },
    'envelopes hold resources and pages': async () => {
      const query = list.parse('page=2&limit=3&search=a', { cursors })
      const { body } = await answerList(query, { address: { url: '/', query: '' }, cursors }, rows)
      expectEqual(body, {
        data: [],
        meta: { page: 2, limit: 3, total: 2, totalPages: 1 },
      })
      expectEqual(dataEnvelope({ id: '1' }), { data: { id: '1' } })
    },
    'rejects an invalid query': async () => {
      await expectError('VALIDATION_ERROR', () => list.parse('limit=0&sort=secret&unknown=1', { cursors }))
    },
    'runs a request with an idempotency key once': async () => {
      const idempotent = createIdempotency({ store: createMemoryIdempotencyStore(), keys: [secret] })
      const request: IdempotentRequest = {
        idempotencyKey: 'a1',
        scope: 'user-1',
        method: 'POST',
        path: '/posts',
        body: '{}',
      }
      let runs = 0
      const run = async () => Promise.resolve({ status: 201, headers: {}, body: toJson({ runs: ++runs }) })
      await idempotent(request, run)
      const { replayed, response } = await idempotent(request, run)
      expectEqual([replayed, response.body, runs], [true, '{"runs":1}', 1])
      await expectError('IDEMPOTENCY_KEY_REUSED', () => idempotent({ ...request, body: '{"a":1}' }, run))
    },
  })
