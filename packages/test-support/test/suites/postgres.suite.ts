import { expect, it } from 'vitest'
import { describeWith } from '../../src/services/index.ts'

describeWith('postgres', (postgres) => {
  it('receives a database', () => {
    expect(postgres().url).toContain('/sallyport_test_')
  })
})
