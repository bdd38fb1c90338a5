import { testStores } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryAuditLog } from './memory-audit-log.ts'

testStores({ describe, expect, it }, { audit: (options) => createMemoryAuditLog(options) })

it('deletes the oldest entry over its limit', async () => {
  const audit = createMemoryAuditLog({ max: 2 })
  for (const target of ['a', 'b', 'c']) {
    await audit.record({ actor: { id: 'ann' }, action: 'endpoint.delete', target })
  }
  const kept = await audit.list({ limit: 10, order: 'oldest' })
  expect(kept.map(({ target }) => target)).toEqual(['b', 'c'])
})
