import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { createEventFilter, type EventFilter } from './index.ts'

const event = createEvent('a', 0, {
  name: 'github/issues.opened',
  source: { provider: 'github', endpoint: 'acme', deliveryId: 'd', receivedAt: 0 },
  data: {
    action: 'opened',
    amount: 100,
    draft: false,
    ref: 'refs/tags/v1',
    labels: [{ name: 'bug' }],
    none: null,
  },
})
const passes = (filter: EventFilter) => createEventFilter(filter)(event)

describe('createEventFilter', () => {
  it.each<[EventFilter, boolean]>([
    [{}, true],
    [{ provider: ['stripe', 'github'] }, true],
    [{ provider: ['stripe'] }, false],
    [{ endpoint: ['acme'] }, true],
    [{ endpoint: ['other'] }, false],
    [{ events: ['github/issues.*'] }, true],
    [{ events: ['github/push'] }, false],
    [{ data: { 'data.action': 'opened' } }, true],
    [{ data: { 'data.action': ['closed', 'opened'] } }, true],
    [{ data: { 'data.action': ['closed'] } }, false],
    [{ data: { 'data.action': { in: ['opened'], prefix: 'close' } } }, false],
    [{ data: { 'data.amount': { gte: 100, lt: 101 } } }, true],
    [{ data: { 'data.amount': { gt: 100 } } }, false],
    [{ data: { 'data.amount': { lte: 99 } } }, false],
    [{ data: { 'data.amount': '100' } }, false],
    [{ data: { 'data.ref': { gte: 0 } } }, false],
    [{ data: { 'data.ref': { prefix: 'refs/tags/' } } }, true],
    [{ data: { 'data.amount': { prefix: '1' } } }, false],
    [{ data: { 'data.draft': { exists: true } } }, true],
    [{ data: { 'data.none': { exists: true } } }, true],
    [{ data: { 'data.none': null } }, true],
    [{ data: { 'data.missing': { exists: false } } }, true],
    [{ data: { 'data.missing': null } }, false],
    [{ data: { 'data.labels.0.name': 'bug' } }, true],
    [{ data: { 'data.labels.1.name': { exists: false } } }, true],
    [{ provider: ['github'], data: { 'data.action': 'closed' } }, false],
  ])('applies %j: %s', (filter, expected) => {
    expect(passes(filter)).toBe(expected)
  })

  it('reads own members only', () => {
    for (const path of ['data.constructor', 'data.__proto__', 'data.action.length'])
      expect(passes({ data: { [path]: { exists: true } } })).toBe(false)
  })

  it('passes an event without endpoint and without data to filters that need neither', () => {
    const bare = createEvent('b', 0, { data: undefined })
    expect(createEventFilter({ endpoint: ['acme'] })(bare)).toBe(false)
    expect(createEventFilter({ data: { 'data.a': { exists: false } } })(bare)).toBe(true)
  })

  it.each<[unknown, RegExp]>([
    [{ providers: ['github'] }, /Unrecognized key/],
    [{ events: ['issues'] }, /events\.0: Must be like github\/push/],
    [{ endpoint: ['a b'] }, /endpoint\.0: Must be the id/],
    [{ provider: [] }, /^The filter is invalid: provider: /],
    [{ data: { action: 'opened' } }, /data\.action: .*Invalid key|Must be like data\.action/],
    [{ data: { 'data.': 1 } }, /data\.data\./],
    [{ data: { [`data${'.a'.repeat(11)}`]: 1 } }, /data\.data\.a/],
    [{ data: { 'data.a': {} } }, /data\.data\.a: Must be a value, a list/],
    [{ data: { 'data.a': { regex: '.*' } } }, /data\.data\.a: Unrecognized key/],
    [{ data: { 'data.a': { gte: '1' } } }, /data\.data\.a: Must be a value, a list/],
    [
      { data: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`data.a${index}`, 1])) },
      /data: Must have at most 50 conditions/,
    ],
  ])('rejects %j with the path', (filter, message) => {
    expect(() => createEventFilter(filter as EventFilter)).toThrow(message)
    expect(() => createEventFilter(filter as EventFilter)).toThrow(TypeError)
  })
})
