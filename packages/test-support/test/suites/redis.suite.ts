import { expect, it } from 'vitest'
import { describeWith } from '../../src/services/index.ts'

describeWith('redis', (redis) => {
  it('receives a name for its keys', () => {
    expect(redis().name).toMatch(/^sallyport-test-/)
  })
})
