import { portableCases } from './portable.ts'
import { createWorker } from './worker.ts'

export default createWorker(portableCases)
