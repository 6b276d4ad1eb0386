// @ts-check
// Progressive enhancement: each page works without it.
import { startCopying } from './copy.js'
import { startFolds, startMenus } from './menus.js'
import { startScrollers } from './scrollers.js'
import { startSearch } from './search.js'
import { startTabs } from './tabs.js'
import { startVideos } from './video.js'
import { startZoom } from './zoom.js'

startSearch()
startMenus()
startFolds()
startScrollers()
startCopying()
startZoom()
startTabs()
startVideos()
