import { testAuditLog } from '@sallyport/testing/audit'
import { describe, expect, it } from 'vitest'
import { createMemoryAuditLog } from './index.ts'

testAuditLog({ describe, expect, it }, (options) => createMemoryAuditLog(options))

it('deletes the oldest entry over its limit', async () => {
  const audit = createMemoryAuditLog({ max: 2 })
  for (const target of ['a', 'b', 'c']) {
    await audit.record({ actor: { id: 'ann' }, action: 'endpoint.delete', target })
  }
  const kept = await audit.list({ limit: 10, order: 'oldest' })
  expect(kept.map(({ target }) => target)).toEqual(['b', 'c'])
})
