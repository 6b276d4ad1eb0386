import * as fc from 'fast-check'
import { readSeed } from './runs.ts'

// What a property draws is the same in every run of the tests, unless `SEED` says otherwise: what fails once fails again.
fc.configureGlobal({ seed: readSeed() })
