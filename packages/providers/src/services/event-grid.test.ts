import { testService } from '@sallyport/webhooks/testing'
import { runner } from '../../test/runner.ts'
import { eventGrid } from './event-grid.ts'
import samples from './event-grid.samples.json' with { type: 'json' }

testService(runner, {
  provider: eventGrid,
  samples,
  sign: ({ secret }) => ({ authorization: secret }),
})
