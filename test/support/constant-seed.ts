import * as fc from 'fast-check'

// What a property draws is the same in every run of the tests, unless `SEED` says otherwise: what fails once fails again.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) })
