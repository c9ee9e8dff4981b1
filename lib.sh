cmd_ () 
{ 
    xdotool key slash;
    sleep .4;
    xdotool type --delay 20 "$1";
    sleep .4;
    xdotool key Return;
    sleep .5;
    idle
}
