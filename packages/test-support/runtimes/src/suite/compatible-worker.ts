import { compatibleCases } from './compatible.ts'
import { createWorker } from './worker.ts'

export default createWorker(compatibleCases)
