import { render } from 'preact';
import { startTheme } from '../shared/theme.js';
import { Dashboard } from './dashboard.js';

startTheme();
render(<Dashboard />, document.getElementById('app') as HTMLElement);
