import { expect, it } from 'vitest'
import { describeNeeding } from '../../src/services/index.ts'

const find = () => Promise.resolve(process.env['TEST_UNICORN'])

describeNeeding({ what: 'a unicorn', find, hint: 'look for one' }, (unicorn) => {
  it('receives it', () => {
    expect(unicorn).toBe('white')
  })
})

describeNeeding(
  { what: 'a horse', find, hint: 'look in the stable', requiredWithServices: true },
  (horse) => {
    it('receives it', () => {
      expect(horse).toBe('white')
    })
  },
)
