import { render } from 'preact';
import { startTheme } from '../shared/theme.js';
import { startStudio } from './model.js';
import { Studio } from './studio.js';

startTheme();
render(<Studio />, document.getElementById('app') as HTMLElement);
void startStudio();
