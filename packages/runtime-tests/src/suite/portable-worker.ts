import { portableCases } from './portable.ts'
import { workerOf } from './worker.ts'

export default workerOf(portableCases)
