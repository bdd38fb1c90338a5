// The minimal server that keeps nothing.
import { startMinimal } from './minimal.ts'

startMinimal((_, answer) => {
  answer()
})
