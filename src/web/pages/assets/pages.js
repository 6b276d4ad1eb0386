// @ts-check
// Progressive enhancement: each page works without it.
import { startMenus } from './menus.js'
import { startScrollers } from './scrollers.js'
import { startSearch } from './search.js'

startSearch()
startMenus()
startScrollers()
